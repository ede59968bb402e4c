/** Which face-up cards came from the discard pile, to be marked on the board of the games for two. */
import type { ShownEvent } from "../../generated/protocol";
import type { Happening } from "../../lib/model.svelte";

/**
 * Return for each face-up card whether it was swept from the discard pile, in the order in which they lie there.
 *
 * The view does not tell, so it is read from what has happened since the cards were turned over; it is empty
 * where that is no longer known.
 */
export function sweptMarks(log: readonly Pick<Happening, "event">[]): readonly boolean[] {
  const began = log.findLastIndex(({ event }) => event.event === "turned-over");
  return began < 0
    ? []
    : log.slice(began).reduce<readonly boolean[]>((marks, { event }) => marked(marks, event), []);
}

function marked(marks: readonly boolean[], event: ShownEvent): readonly boolean[] {
  switch (event.event) {
    case "turned-over":
      return [...marks, ...event.beans.map(() => false)];
    case "swept":
      return [...marks, ...event.beans.map(() => true)];
    case "face-up-planted":
    case "leftover-discarded":
      return marks.filter((_, place) => place !== event.place);
    case "rest-left":
    case "turn-began":
      return [];
    default:
      return marks;
  }
}
