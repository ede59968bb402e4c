/** Games over days. */
import type { ClockName } from "../generated/protocol";

/** Tell whether a game is one over days: its clock counts in hours. */
export const lastsDays = (clock: ClockName | undefined): boolean => clock?.endsWith("h") ?? false;
