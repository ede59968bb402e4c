/** What the viewer has left with a table over days: standing orders, and the word that he is done. */
import type { AwayInfo, MoveInfo, Room, Terms } from "../generated/protocol";
import { lastsDays } from "../lib/days";
import { call } from "../lib/http";

/** How many cards an exchange by order may give or take, and how often it may be carried out. */
export const UP_TO_NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Tell whether orders or moves can be left with a table: over days, while the game goes on. */
export function canLeave(room: Room | null): boolean {
  return room?.status === "playing" && lastsDays(room.options.clock);
}

/** Return what is sent for an order, or `null` where it would give nothing and take nothing, or the same kind. */
export function termsOf(chosen: Required<Terms>): Terms | null {
  if (chosen.give === chosen.take) return null;
  const { give, most, take, least, times } = chosen;
  return { give, take, times, ...(give === null ? {} : { most }), ...(take === null ? {} : { least }) };
}

/** A move of the game that the server makes as soon as it is possible. */
export type MoveAhead = MoveInfo["move"];

/** From how many beans on a field may be harvested ahead. */
export const HARVESTED_FROM = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

const path = (table: string): string => `/api/tables/${table}/away`;

/** Return what we have left with a table. */
export const awayOf = (table: string): Promise<AwayInfo> => call("GET", path(table));

/** Leave an order with it. */
export const leave = (table: string, terms: Terms): Promise<AwayInfo> => call("POST", path(table), terms);

/** Set a move ahead there. */
export const setAhead = (table: string, move: MoveAhead): Promise<AwayInfo> =>
  call("POST", `${path(table)}/moves`, { move });

/** Take an order back, or a move. */
export const dropOrder = (table: string, order: string): Promise<AwayInfo> =>
  call("DELETE", `${path(table)}/${order}`);

/** Tell whether an order or a move has been carried out as often as it may be. */
export const isUsedUp = (carried: number, times: number | undefined): boolean => carried >= (times ?? 1);

/** Return orders or moves, those that are used up behind the live ones. */
export function usedLast<Left extends { readonly carried: number }>(
  left: readonly Left[],
  times: (one: Left) => number | undefined,
): readonly Left[] {
  const used = (one: Left): number => Number(isUsedUp(one.carried, times(one)));
  return left.toSorted((one, other) => used(one) - used(other));
}
