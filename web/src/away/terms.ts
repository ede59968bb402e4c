/** What holds for the time at a table over days: hours, reserve, and what is behind them. */
import type { ClockName, Options } from "../generated/protocol";
import { t } from "../lib/i18n.svelte";
import { session } from "../lib/session.svelte";
import { hoursIn } from "./ends";

const HOUR = 3_600_000;

/** Return the hours of reserve that everybody has with a clock. */
function reserveOf(clock: ClockName | undefined): number {
  return (session.catalog?.clocks.find((entry) => entry.clock === clock)?.reserve ?? 0) / HOUR;
}

/** Return a sentence for each of them. */
export function termsOf({ clock, hours }: Pick<Options, "clock" | "hours">): readonly string[] {
  const reserve = reserveOf(clock);
  return [
    ...(hours === undefined ? [] : [t("days.table-plays", hoursIn(hours)), t("days.counted")]),
    ...(reserve > 0 ? [t("days.reserve", { hours: reserve })] : []),
    t("days.runs-out"),
  ];
}
