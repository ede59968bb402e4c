/** Who sits at a seat: a person, here or away, a computer player, or one that stands in for somebody. */
import { lastsDays } from "../lib/days";
import type { TableModel } from "../lib/model.svelte";
import { userName } from "../lib/names";

/** Return the seat a user owns, `null` for a spectator. */
export function seatOf(table: TableModel, user: string | null): number | null {
  const found = user === null ? -1 : (table.room?.seats.findIndex((seat) => seat.user === user) ?? -1);
  return found < 0 ? null : found;
}

/** Return who has ended a table that was given up, as texts take it; the host is called by his name. */
export function endedBy(table: TableModel): { by: string; you: "yes" | "no"; name: string } {
  const { room, user } = table;
  const host = room?.host ?? null;
  const by = room?.ended_by === "" || room === null ? "unknown" : room.ended_by;
  return {
    by: by === "host" && host === null ? "unknown" : by,
    you: host !== null && host === user ? "yes" : "no",
    name: host === null ? "" : userName(table, host),
  };
}

/** Tell whether a person owns the seat and is not here now. */
export function isAway(table: TableModel, seat: number): boolean {
  const place = table.place(seat);
  return table.live && place?.user != null && !table.present.includes(seat);
}

/** Tell whether it is shown that a person is away: in a game over days that is usual, and who is here is shown. */
export function showsAway(table: TableModel, seat: number): boolean {
  return isAway(table, seat) && !lastsDays(table.room?.options.clock);
}

/** Tell whether the person who owns the seat is here now. */
export function isHere(table: TableModel, seat: number): boolean {
  return table.present.includes(seat) && !isProgram(table, seat) && !isStandIn(table, seat);
}

/**
 * Tell whether nobody plays the seat now: its owner is away, and no computer player stands in for him. In a game over
 * days everybody comes when he has time, and is not missed.
 */
export function isMissed(table: TableModel, seat: number): boolean {
  return showsAway(table, seat) && !isStandIn(table, seat);
}

/** Tell whether the seat belongs to a program or a computer player, and to nobody who could return. */
export function isProgram(table: TableModel, seat: number): boolean {
  const user = table.place(seat)?.user ?? null;
  return user === null || table.people[user]?.bot === true;
}

/** Tell whether a bot plays for the owner of a seat. */
export function isStandIn(table: TableModel, seat: number): boolean {
  const place = table.place(seat);
  return place !== undefined && place.user !== null && place.bot !== null;
}

/** Tell whether a seat is the host's. */
export function isHost(table: TableModel, seat: number): boolean {
  const host = table.room?.host ?? null;
  return host !== null && table.place(seat)?.user === host;
}
