import type { Refusal } from "./http";
import { has, t } from "./i18n.svelte";

/** Return why something was refused, in the language shown. */
export function reasonText(refusal: Pick<Refusal, "reason" | "params">): string {
  const params = plain(refusal.params);
  for (const key of [`reason.${refusal.reason}`, `problem.${refusal.reason}`, `app.${refusal.reason}`]) {
    if (has(key)) return t(key, params);
  }
  return refusal.reason;
}

/** Fields are counted from 1 where people read of them. */
function plain(params: Readonly<Record<string, unknown>>): Record<string, string | number> {
  const kept = Object.entries(params).map(([name, value]): [string, string | number] => [
    name,
    typeof value === "number" ? (name === "field" ? value + 1 : value) : Array.isArray(value) ? value.join(", ") : String(value),
  ]);
  return Object.fromEntries(kept);
}
