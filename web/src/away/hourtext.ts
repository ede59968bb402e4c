/** Playing hours in a sentence, in the time zone of whoever keeps them and in the reader's own. */
import type { Hours } from "../generated/protocol";
import { t } from "../lib/i18n.svelte";

const MINUTE = 60_000;
const DAY = 24 * 60;

/** Return how many minutes a time zone is ahead of that in which times are counted; its own zone by default. */
function aheadOf(zone: string | undefined, now: number): number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...(zone === undefined ? {} : { timeZone: zone }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const parts = format.formatToParts(now);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = (
    ["year", "month", "day", "hour", "minute"] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value));
  return Math.round((Date.UTC(year, month - 1, day, hour, minute) - now) / MINUTE);
}

/** Return a time of day, in minutes, as it is written: "8:00". */
function clockFace(minute: number): string {
  const within = ((minute % DAY) + DAY) % DAY;
  return `${Math.floor(within / 60)}:${String(within % 60).padStart(2, "0")}`;
}

/** Return when a table or somebody plays; to a reader in another time zone also by his own clock. */
export function hoursSentence(
  key: "days.plays" | "days.table-plays",
  { begin, end, zone }: Hours,
  now: number,
  name = "",
): string {
  const text = t(key, { name, from: clockFace(begin), to: clockFace(end), zone: zone.replaceAll("_", " ") });
  const later = aheadOf(undefined, now) - aheadOf(zone, now);
  return later === 0
    ? text
    : t("days.for-you", { text, from: clockFace(begin + later), to: clockFace(end + later) });
}
