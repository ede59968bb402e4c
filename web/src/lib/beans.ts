/** The kinds of beans: their names in keys and drawings, and counting cards by kind. */
import { Bean } from "../generated/protocol";

/** The name of a kind as keys and drawings have it, in the order of the numbers. */
export const KINDS = [
  "cocoa",
  "garden",
  "red",
  "black_eyed",
  "soy",
  "green",
  "stink",
  "chili",
  "blue",
  "wax",
  "coffee",
] as const;

export type Kind = (typeof KINDS)[number];

/** All kinds as numbers, in the order of the protocol. */
export const BEANS: readonly Bean[] = Object.values(Bean);

/** Return the name of a kind. */
export function kind(bean: Bean): Kind {
  return KINDS[bean];
}

/** Return the beans counted by kind, in the order in which each kind comes first. */
export function counted(beans: readonly Bean[]): [Bean, number][] {
  const counts = new Map<Bean, number>();
  for (const bean of beans) counts.set(bean, (counts.get(bean) ?? 0) + 1);
  return [...counts];
}

/** Tell whether there are as many beans of each kind as are wanted. */
export function covers(beans: readonly Bean[], wanted: readonly Bean[]): boolean {
  const have = new Map(counted(beans));
  return counted(wanted).every(([bean, count]) => (have.get(bean) ?? 0) >= count);
}
