/** When a time ends in words, from all that there is to say down to the moment alone. */
import { t } from "../lib/i18n.svelte";
import { clockText } from "../table/clocktext";
import type { End } from "./ends";
import { momentText } from "./resting";

const HOUR = 3_600_000;

/** Hours from which on minutes are not told. */
const MANY = 10;

/** Return a stretch of time in few words; a long one in whole hours. */
export function hoursText(time: number): string {
  const hours = Math.floor(time / HOUR);
  const whole = hours >= MANY || (hours > 0 && time - hours * HOUR < 60_000);
  return whole ? t("lobby.hours", { hours }) : clockText(Math.floor(time / 1000));
}

/** Return a time's end in words, each shorter than the one before it; `whose` holiday it is, where that is told. */
export function endings(
  { at, why, reserve }: End,
  now: number,
  key: "days.has-until" | "days.due" | "days.look",
  whose?: string,
): readonly string[] {
  const time = momentText(at, now);
  const told = t(key, { time });
  const reasons = why
    .map((reason) =>
      reason === "holiday" && whose !== undefined
        ? t("days.why-holiday-of", { name: whose })
        : t(`days.why-${reason}`),
    )
    .join(", ");
  const because = (text: string): string =>
    reasons === "" ? text : t("days.because", { text, why: reasons });
  const spare = reserve === 0 ? null : hoursText(reserve);
  const plus = (text: string): string =>
    spare === null ? text : t("days.plus-reserve", { text, time: spare });
  const then = spare === null ? because(told) : t("days.then-reserve", { text: because(told), time: spare });
  return [...new Set([then, plus(because(told)), plus(because(time)), plus(told), plus(time), told, time])];
}
