/** What holds for the time at a table over days: hours, reserve, and what is behind them. */
import type { ClockName, Options } from "../generated/protocol";
import { t } from "../lib/i18n.svelte";
import { session } from "../lib/session.svelte";
import { hoursSentence } from "./hourtext";

const HOUR = 3_600_000;

/** Return the hours of reserve that everybody has with a clock. */
function reserveOf(clock: ClockName | undefined): number {
  return (session.catalog?.clocks.find((entry) => entry.clock === clock)?.reserve ?? 0) / HOUR;
}

/** Return a sentence for each of them. */
export function termsOf({ clock, hours }: Pick<Options, "clock" | "hours">): readonly string[] {
  const reserve = reserveOf(clock);
  return [
    ...(hours === undefined ? [] : [hoursSentence("days.table-plays", hours, Date.now()), t("days.counted")]),
    ...(reserve > 0 ? [t("days.reserve", { hours: reserve })] : []),
    t("days.runs-out"),
  ];
}
