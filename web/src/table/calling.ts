/** Whether a player may ask that a choice be made for somebody who has not moved for long. */
import type { Room, View } from "../generated/protocol";
import { othersWaitedFor } from "./waiting";

/**
 * Tell whether one may call for the choice once it has been quiet for long: no clocks, a seat, and the game waits for
 * somebody else.
 */
export function mayCallForChoice(room: Room, view: View, seat: number | null): boolean {
  if (seat === null || room.status !== "playing" || room.paused || room.options.clock !== "none")
    return false;
  const others = othersWaitedFor(view, seat);
  return others.some((other) => room.seats[other]?.user !== null && room.seats[other]?.bot === null);
}
