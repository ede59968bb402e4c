/** Games over days. */
import type { ClockName, TableInfo } from "../generated/protocol";

/** Tell whether a game is one over days: its clock counts in hours. */
export const lastsDays = (clock: ClockName | undefined): boolean => clock?.endsWith("h") ?? false;

/** Tell whether a game over days waits in the trading of another for the viewer, and for nobody else. */
export function leftAlone({ awaited, options, seats }: TableInfo): boolean {
  if (!lastsDays(options.clock) || awaited?.phase !== "trade" || awaited.seats.length !== 1) return false;
  return seats[awaited.seats[0] ?? 0]?.mine === true && seats[awaited.active]?.mine !== true;
}
