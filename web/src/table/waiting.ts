/** Whom the game waits for, and the clock that runs for them. */
import type { Clock, Room, View } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";

/** Tell whether there is nothing to wait for any more: the game is over, or the table was given up. */
export function isOver({ room, view }: Pick<TableModel, "room" | "view">): boolean {
  return view?.phase.phase === "end" || room?.status === "abandoned";
}

/** Return the others the game waits for. */
export function othersWaitedFor(view: View, seat: number | null): readonly number[] {
  return view.waiting.filter((other) => other !== seat);
}

/** Tell whether the game waits for a seat. */
export function waitsFor(view: View | null, seat: number | null): boolean {
  return view !== null && seat !== null && view.waiting.includes(seat);
}

/** Tell whether a seat has said, at a table over days, that it is done with the trading at the next beat. */
export function isDone(room: Pick<Room, "done"> | null, seat: number | null): boolean {
  return seat !== null && room?.done?.includes(seat) === true;
}

/** Tell whether a computer player plays a seat, for its owner or as its own. */
export function hasBot(room: Pick<Room, "seats"> | null, seat: number): boolean {
  return (room?.seats[seat]?.bot ?? null) !== null;
}

/**
 * Tell whether the game waits for the viewer: he may have left word that he is done, or a computer player plays for
 * him; a pause waits for nobody.
 */
export function waitsForViewer({ room, view, seat }: Pick<TableModel, "room" | "view" | "seat">): boolean {
  return (
    room?.paused !== true &&
    (seat === null || !hasBot(room, seat)) &&
    waitsFor(view, seat) &&
    !isDone(room, seat)
  );
}

/** Tell whether the game waits for the viewer in the turn of another player: then it is not his turn. */
export function isAsked({ view, seat }: Pick<TableModel, "view" | "seat">): boolean {
  return waitsFor(view, seat) && view?.active_player !== seat;
}

/** Return the clock that matters now: one's own, else that of the trading, else the first that runs. */
export function clockFor(clocks: readonly Clock[], seat: number | null): Clock | undefined {
  return (
    clocks.find((clock) => clock.seat !== null && clock.seat === seat) ??
    clocks.find((clock) => clock.seat === null) ??
    clocks[0]
  );
}

/** Return until when a clock stands still now, outside playing hours or on a holiday; `null` where it runs. */
export function restsUntil(clock: Clock, now: number): number | null {
  return clock.rests?.find(([begins, ends]) => begins <= now && now < ends)?.[1] ?? null;
}

/** Return the ms that a clock runs from now until it is due: what it stands still is not counted. */
function runs(clock: Clock, now: number, due: number): number {
  const rests = clock.rests ?? [];
  return rests.reduce(
    (left, [begins, ends]) => left - Math.max(0, Math.min(ends, due) - Math.max(begins, now)),
    due - now,
  );
}

/** Return the whole seconds a clock has left to run, `null` for one that has no end. */
export function secondsLeft(clock: Clock, now: number): number | null {
  if (clock.left !== null) return Math.max(0, Math.ceil(clock.left / 1000));
  return clock.due === null ? null : Math.max(0, Math.ceil(runs(clock, now, clock.due) / 1000));
}
