/** Where the list of what stands aside lies: once it is there, only itself moves, and seldom. */
import { lieAlike, listBegins, listRow, type Room } from "./grid";

/** In which row of the last column, from 0, the list has begun (`null` without one), and where it was pushed to. */
export interface ListPlace {
  readonly began: number | null;
  readonly pushed: number;
}

/** The place of a list before there is one. */
export const NO_LIST: ListPlace = { began: null, pushed: 0 };

/** Return the market with the list in it. */
export function roomWith({ began }: ListPlace, columns: number, rows: number): Room {
  return { columns, rows, list: Math.min(began ?? rows, rows) };
}

/** Return the row from 0 in which the list stands beside so many tickets; `rows` where it is out of sight. */
export function rowOfList({ pushed }: ListPlace, tickets: number, room: Room): number {
  return Math.min(room.rows, Math.max(pushed, listRow(tickets, room)));
}

/**
 * Return the place after a change of the tickets. The list begins where they leave room; once it is empty, its place is
 * kept as long as one of them would move for it. What is pushed only as long as something is put together comes back.
 */
export function noted(
  place: ListPlace,
  listed: boolean,
  tickets: number,
  { columns, rows }: Room,
  composing: boolean,
): ListPlace {
  const { began: before } = place;
  const free = before !== null && lieAlike(tickets, columns, before, rows);
  const began = listed ? (before ?? listBegins(tickets, columns, rows)) : free ? null : before;
  const now = { ...place, began };
  if (composing) return now;
  return { began, pushed: listed ? rowOfList(now, tickets, roomWith(now, columns, rows)) : 0 };
}

/** Return the place in a calm market: back where it began, and in sight where no ticket moves for it. */
export function settled({ began }: ListPlace, tickets: number, { columns, rows }: Room): ListPlace {
  const begins = listBegins(tickets, columns, rows);
  const comes = began === rows && lieAlike(tickets, columns, rows, begins);
  return { began: comes ? begins : began, pushed: 0 };
}
