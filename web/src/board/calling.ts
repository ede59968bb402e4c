import type { Room, View } from "../generated/protocol";
import { waitedFor } from "./waiting";

/** Tell whether one may come to call for the choice: no clocks, a seat, and somebody else is waited for. */
export function waits(room: Room, view: View, seat: number | null): boolean {
  if (seat === null || room.status !== "playing" || room.paused || room.options.clock !== "none") return false;
  const others = waitedFor(view).filter((other) => other !== seat);
  return others.some((other) => room.seats[other]?.user !== null && room.seats[other]?.bot === null);
}
