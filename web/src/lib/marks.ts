/** What players have said that they want, can spare and keep, as far back as the log tells. */
import type { Mark, WishSet } from "../generated/protocol";
import type { Happening } from "./model.svelte";

/**
 * Return what a player had said about a kind before he took it back, `null` if the log does not tell any more. `end` is
 * where the log ends with that.
 */
export function markBefore({ player, bean }: WishSet, log: readonly Happening[], end: number): Mark | null {
  for (let index = end - 2; index >= 0; index -= 1) {
    const event = log[index]?.event;
    if (event?.event === "wish-set" && event.player === player && event.bean === bean)
      return event.mark === "none" ? null : event.mark;
  }
  return null;
}
