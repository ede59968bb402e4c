/** What is told at tables over days: until when somebody has time, and what one waits for who has done his part. */
import { loaders } from "virtual:catalogs/days";
import type { Key } from "../generated/keys";
import type { Batch, Clock, Room, ShownEvent, View } from "../generated/protocol";
import { lastsDays } from "../lib/days";
import { loadFurther, t } from "../lib/i18n.svelte";
import type { Happening, TableModel } from "../lib/model.svelte";
import { listed, nameOf } from "../lib/names";
import { ticking } from "../table/now.svelte";
import { isAway, isStandIn } from "../table/people";
import type { Activity } from "../table/status";
import { isDone, waitsFor } from "../table/waiting";
import { answerOf, endsWithLook, hoursIn, tradersLeft, type End } from "./ends";
import { momentText, spanText } from "./resting";

/** Load its own texts; returns whether they are there. */
export const loadTexts = (): Promise<boolean> => loadFurther(loaders);

/** Return a moment in words. */
const when = (at: number): string => momentText(at, ticking.now);

/** Return what can be told of a seat; `usual` is what is told at a table where everybody sits. */
export function activity(table: TableModel, seat: number, usual: Activity | null): Activity | null {
  const { view, room } = table;
  const phase = view?.phase;
  if (phase?.phase === "trade" && !phase.passes.includes(seat) && isDone(room, seat))
    return { text: t("days.done"), busy: false };
  if (!waitsFor(view, seat) || !isAway(table, seat) || isStandIn(table, seat)) return usual;
  const clock = clockOf(table, seat);
  const text = clock === undefined ? null : ending("days.has-until", table, clock);
  return text === null ? null : { text, busy: true };
}

/** Return the clock that runs for a seat: its own, or that of the trading. */
function clockOf(table: TableModel, seat: number): Clock | undefined {
  return (
    table.clocks.find((clock) => clock.seat === seat) ?? table.clocks.find((clock) => clock.seat === null)
  );
}

/** Return when a clock ends, and why then: with the next look where nobody is left to trade. */
function endAt(room: Room, view: View | null, clock: Clock): End | null {
  const look = clock.seat === null && endsWithLook(view, room) ? (clock.beat ?? clock.due) : null;
  if (look !== null) return { at: look, why: [] };
  return answerOf(clock, room, clock.seat ?? view?.active_player ?? null, ticking.now);
}

/** Return when a clock ends in words, with what makes it last so long; `null` for one that does not run. */
function ending(key: "days.has-until" | "days.due", { room, view }: TableModel, clock: Clock): string | null {
  const end = room === null ? null : endAt(room, view, clock);
  if (end === null) return null;
  const text = t(key, { time: when(end.at) });
  return end.why.length === 0
    ? text
    : t("days.because", { text, why: end.why.map((reason) => t(`days.why-${reason}`)).join(", ") });
}

/** Return when a clock of a table ends, in few words, with what makes it last so long where there is room for that. */
export function due(table: TableModel, clock: Clock, why = true): string | null {
  if (why) return ending("days.due", table, clock);
  const time = dueAlone(table, clock);
  return time === null ? null : t("days.due", { time });
}

/** Return the same as a moment alone, where there is no room for more. */
export function dueAlone({ room, view }: TableModel, clock: Clock): string | null {
  const at = room === null ? null : (endAt(room, view, clock)?.at ?? null);
  return at === null ? null : when(at);
}

/** Tell whether the next look is what ends a clock, and not the time that it has left. */
export const endsWithNextLook = ({ view, room }: TableModel, { seat }: Clock): boolean =>
  seat === null && endsWithLook(view, room);

/** Return what holds of a clock: who keeps which hours and holidays, and what happens once it has run out. */
export function clockNotes(table: TableModel, clock: Clock): string {
  const { room, view } = table;
  const seat = clock.seat ?? view?.active_player ?? null;
  return [
    due(table, clock) ?? "",
    room?.options.hours === undefined ? "" : t("days.table-plays", hoursIn(room.options.hours)),
    ...(seat === null ? [] : timesOf(table, seat, clock.seat !== null)),
    ...(clock.seat === null ? [t("days.trading-hours")] : []),
    t("days.runs-out"),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

/** Return what holds for the time at a table whose game has not begun: hours, reserve, and what is behind them. */
export function termsOf({ room }: TableModel, reserve: number): readonly string[] {
  if (room === null) return [];
  const hours = room.options.hours;
  return [
    ...(hours === undefined ? [] : [t("days.table-plays", hoursIn(hours))]),
    ...(reserve > 0 ? [t("days.reserve", { hours: reserve })] : []),
    t("days.runs-out"),
  ];
}

/** Return a sentence for the hours of a seat, and one for each of its holidays; a trading keeps these alone. */
export function timesOf(table: TableModel, seat: number, withHours = true): readonly string[] {
  const own = table.room?.times?.find((times) => times.seat === seat);
  const name = nameOf(table, seat);
  const hours = own?.hours == null || !withHours ? [] : [t("days.plays", { name, ...hoursIn(own.hours) })];
  const holidays = (own?.holidays ?? [])
    .filter(({ ends }) => ends > ticking.now)
    .map((holiday) => {
      const [first, last] = spanText(holiday);
      return t("days.holiday", { name, first, last });
    });
  return [...hours, ...holidays];
}

/**
 * Return whom a trading waits for, for a viewer who has done his part; for everybody, that it ends with the next look
 * where nobody is left to trade. `null` while the viewer may trade, or watches.
 */
export function waitsUntil(table: TableModel): string | null {
  const { view, room, seat } = table;
  if (view?.phase.phase !== "trade") return null;
  if (endsWithLook(view, room)) return t("days.wait-all-short");
  if (seat === null || (waitsFor(view, seat) && !isDone(room, seat))) return null;
  const players = listed(tradersLeft(view, room).map((other) => nameOf(table, other)));
  return t("table.say.waiting", { players });
}

/** Return what it means that the viewer is done at the next look; `null` while nobody knows when that is. */
export function saidDone(table: TableModel): string | null {
  const clock = table.clocks.find(({ seat }) => seat === null);
  const look = clock?.beat ?? clock?.due ?? null;
  return look === null ? null : t("days.wait-done", { time: when(look) });
}

/** What the button says that takes it back. */
export const takesBack = (): string => t("days.not-done");

/** What may be done for somebody who is not there. */
const DONE_FOR: readonly string[] = [
  "offer-made",
  "offer-shown",
  "traded",
  "traded-shown",
  "planted",
  "set-aside-planted",
  "leftover-planted",
  "gift-planted",
  "harvested",
  "turned-over",
];

/** How it is told what brought something about for somebody. */
const CAUSES: Partial<Record<NonNullable<Batch["cause"]>, Key>> = {
  order: "days.by-order",
  ahead: "days.by-ahead",
  forced: "days.by-forced",
  clock: "days.by-clock",
};

/** What a computer player may do in the seat of somebody who has let it play for him. */
const DONE_BY_BOT: readonly string[] = [
  ...DONE_FOR,
  "offer-edited",
  "offer-withdrawn",
  "offer-declined",
  "passed",
  "trading-closed",
  "field-bought",
  "leftover-discarded",
  "hand-discarded",
  "hand-discard-shown",
  "hand-kept",
  "face-up-planted",
  "rest-left",
  "gift-named",
  "gift-shown",
  "gift-taken",
  "gift-taken-shown",
  "bonus-claimed",
  "bonus-discarded",
  "bonus-discard-shown",
  "wish-set",
  "promise-made",
  "promise-withdrawn",
];

/** Return what has happened with what brought it about, if its player did not, clocks over days only. */
export function withCause(
  text: string,
  { event, cause, by }: Pick<Happening, "event" | "cause" | "by">,
  table: TableModel,
): string {
  if (cause === "bot") return stoodIn(event, by, table) ? t("days.by-bot", { text }) : text;
  if (cause === undefined || (cause === "clock" && !lastsDays(table.room?.options.clock))) return text;
  const key = CAUSES[cause];
  return key === undefined || !DONE_FOR.includes(event.event) ? text : t(key, { text });
}

/** Tell whether a computer player has done something in the seat of somebody; in its own that goes without saying. */
function stoodIn(event: ShownEvent, by: number | undefined, table: TableModel): boolean {
  if (by === undefined || !DONE_BY_BOT.includes(event.event)) return false;
  const { player = by } = event as { readonly player?: number };
  return player === by && (table.place(by)?.user ?? null) !== null;
}
