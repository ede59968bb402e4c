/** How the time that a clock has left is written. */
import { t } from "../lib/i18n.svelte";

/** Return seconds as a clock shows them; one of hours shows no seconds, and no minutes where it is to be `short`. */
export function clockText(seconds: number, short = false): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0 && short) return t("lobby.hours", { hours });
  if (hours >= 48) return t("table.clock-days", { days: Math.floor(hours / 24), hours: hours % 24 });
  if (hours > 0) return t("table.clock-hours", { hours, minutes: minutes % 60 });
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}
