/** Whether a player may ask that a choice be made for somebody who has not moved for long. */
import type { Room, View } from "../generated/protocol";
import { othersWaitedFor, waitsFor } from "./waiting";

/**
 * Tell whether one may call for the choice once it has been quiet for long: no clocks, a seat, and the game waits for
 * somebody else.
 */
export function mayCallForChoice(room: Room, view: View, seat: number | null): boolean {
  return mayBecomeSilent(room, seat) && othersWaitedFor(view, seat).some((other) => plays(room, other));
}

/** Tell whether other people wait for the viewer, however long: there are no clocks. */
export function keepsOthersWaiting(room: Room, view: View, seat: number | null): boolean {
  const others = room.seats.some((_, other) => other !== seat && plays(room, other));
  return mayBecomeSilent(room, seat) && waitsFor(view, seat) && others;
}

function mayBecomeSilent(room: Room, seat: number | null): boolean {
  return seat !== null && room.status === "playing" && !room.paused && room.options.clock === "none";
}

/** Whether a person plays there himself. */
function plays({ seats }: Room, seat: number): boolean {
  return seats[seat]?.user !== null && seats[seat]?.bot === null;
}
