/** Which bonus cards somebody else has just claimed, to be told for as long as it takes to read that. */
import type { Happening } from "../../lib/model.svelte";

/** Who has claimed, and the numbers of the bonus cards. */
export interface Claims {
  readonly player: number;
  readonly bonus: readonly number[];
  /** When the last of them was claimed, in ms. */
  readonly at: number;
}

/** Return the claims that somebody else than `seat` has made after `since`; `null` if there are none. */
export function claimsOf(
  log: readonly Pick<Happening, "at" | "event">[],
  seat: number | null,
  since: number,
): Claims | null {
  const found = log.flatMap(({ at, event }) =>
    event.event === "bonus-claimed" && event.player !== seat && at > since ? [{ ...event, at }] : [],
  );
  const last = found.at(-1);
  if (last === undefined) return null;
  const bonus = found.filter(({ player }) => player === last.player).map((event) => event.bonus);
  return { player: last.player, bonus, at: last.at };
}
