/** Until when whoever a game over days waits for has time, and why that long: one answer, told everywhere. */
import type { Clock, Options, PlayingTimes, Room, View } from "../generated/protocol";
import { hasBot, isDone } from "../table/waiting";

/** What makes a time longer than its hours: a holiday, playing hours, or the reserve, which is being used. */
export type Reason = "holiday" | "playing-hours" | "reserve";

/** When a time ends, why then and not before, and how many ms of reserve begin then. */
export interface End {
  readonly at: number;
  readonly why: readonly Reason[];
  readonly reserve: number;
}

/** Ms from which on a rest is no night: playing hours leave some of each day. */
const DAY = 24 * 3_600_000;

/**
 * Return when the time of a move ends, and the reserve behind it begins; when that ends, once it has begun. `null`
 * for a clock that does not run.
 */
export function endOf(clock: Clock, now: number): number | null {
  if (clock.due === null) return null;
  let at = clock.due;
  let back = clock.reserve;
  for (const [begins, ends] of [...(clock.rests ?? [])].reverse()) {
    if (begins >= at) continue;
    if (ends <= at - back) break;
    back -= Math.max(0, at - ends);
    at = begins; // what lies in a rest is no time of his
  }
  return at - back > now ? at - back : clock.due;
}

/**
 * What is known of a table's playing times. A list of tables knows no one's own: there the length of a rest tells
 * whether it is a holiday.
 */
interface Times {
  readonly options: Pick<Options, "hours">;
  readonly times?: readonly PlayingTimes[];
}

/** Return when a clock ends, and why it lasts so long; `seat` is whose holidays and hours it keeps. */
export function answerOf(clock: Clock, room: Times, seat: number | null, now: number): End | null {
  const at = endOf(clock, now);
  if (at === null) return null;
  const rests = (clock.rests ?? []).filter(([begins, ends]) => ends > now && begins < at);
  const own = room.times?.find((times) => times.seat === seat);
  const hours = clock.seat === null ? null : own?.hours; // a trading keeps those of the table alone
  const away = (own?.holidays ?? []).filter(({ begins, ends }) => ends > now && begins < at);
  const long = room.times === undefined && rests.some(([begins, ends]) => ends - begins >= DAY);
  const night = rests.some(
    ([begins, ends]) =>
      !(room.times === undefined
        ? ends - begins >= DAY
        : away.some((holiday) => holiday.begins <= begins && ends <= holiday.ends)),
  );
  const counted = room.times === undefined || (hours ?? null) !== null || room.options.hours !== undefined;
  const used = clock.reserve > 0 && at === clock.due;
  return {
    at,
    why: [
      ...(away.length > 0 || long ? (["holiday"] as const) : []),
      ...(night && counted ? (["playing-hours"] as const) : []),
      ...(used ? (["reserve"] as const) : []),
    ],
    reserve: used ? 0 : clock.reserve,
  };
}

/** Return the seats that a trading over days waits for: who has neither passed nor said that he is done. */
export function tradersLeft(view: View, room: Room | null): readonly number[] {
  return view.waiting.filter((seat) => !isDone(room, seat) || hasBot(room, seat));
}

/** Tell whether a seat is the only one left whom the trading of another waits for. */
export function isLeftAlone(view: View | null, room: Room | null, seat: number | null): boolean {
  if (view?.phase.phase !== "trade" || seat === null || view.active_player === seat) return false;
  const left = tradersLeft(view, room);
  return left.length === 1 && left[0] === seat && !hasBot(room, seat);
}

/** Tell whether nobody is left whom a trading over days waits for: it ends with the next check. */
export function endsWithCheck(view: View | null, room: Room | null): boolean {
  return view?.phase.phase === "trade" && tradersLeft(view, room).length === 0;
}
