/** Until when a clock stands still, or somebody is on holiday. */
import type { Room } from "../generated/protocol";
import { region } from "../lib/i18n.svelte";

const DAY = 24 * 3_600_000;

/** Return a moment as it is told: today the time alone, within days the weekday too, else the day. */
export function momentText(at: number, now: number): string {
  const form: Intl.DateTimeFormatOptions =
    new Date(at).toDateString() === new Date(now).toDateString()
      ? { timeStyle: "short" }
      : Math.abs(at - now) < 6 * DAY
        ? { weekday: "short", hour: "numeric", minute: "2-digit" }
        : { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(region(), form).format(at);
}

/** Return until when the owner of a seat is on holiday now, `null` where he is not. */
export function holidayUntil(room: Room | null, seat: number, now: number): number | null {
  const holidays = room?.times?.find((times) => times.seat === seat)?.holidays ?? [];
  return holidays.find(({ begins, ends }) => begins <= now && now < ends)?.ends ?? null;
}
