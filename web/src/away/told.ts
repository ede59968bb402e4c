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
import { clockText } from "../table/clocktext";
import { isDone, secondsLeft, waitsFor } from "../table/waiting";
import { answerOf, endsWithCheck, isLeftAlone, tradersLeft, type End } from "./ends";
import { endings } from "./endings";
import { hoursSentence } from "./hourtext";
import { momentText, spanText } from "./resting";

export { isLeftAlone };

/** Load its own texts; returns whether they are there. */
export const loadTexts = (): Promise<boolean> => loadFurther(loaders);

/** Return a moment in words. */
const when = (at: number): string => momentText(at, ticking.now);

/** Return what can be told of a seat; `usual` is what is told at a table where everybody sits. */
export function activity(table: TableModel, seat: number, usual: Activity | null): Activity | null {
  const { view, room } = table;
  const phase = view?.phase;
  if (phase?.phase === "trade" && !phase.passes.includes(seat) && isDone(room, seat))
    return { text: t("days.done"), shorter: [t("days.done-short")], busy: false };
  if (!waitsFor(view, seat) || isStandIn(table, seat)) return usual;
  if (!isAway(table, seat))
    return usual ?? (isLeftAlone(view, room, seat) ? { text: t("table.thinks"), busy: true } : null);
  const clock = clockOf(table, seat);
  const [text, ...shorter] = clock === undefined ? [] : wordings(table, clock, "days.has-until");
  return text === undefined ? null : { text, shorter, busy: true };
}

/** Return the clock that runs for a seat: its own, or that of the trading. */
function clockOf(table: TableModel, seat: number): Clock | undefined {
  return (
    table.clocks.find((clock) => clock.seat === seat) ?? table.clocks.find((clock) => clock.seat === null)
  );
}

/** Return when a clock ends, and why then: with the next check where nobody is left to trade. */
function endAt(room: Room, view: View | null, clock: Clock): End | null {
  const look = clock.seat === null && endsWithCheck(view, room) ? (clock.beat ?? clock.due) : null;
  if (look !== null) return { at: look, why: [], reserve: 0 };
  return answerOf(clock, room, clock.seat ?? view?.active_player ?? null, ticking.now);
}

/**
 * Return when a clock ends, why then, and the reserve behind it, in several wordings: the first has all of it, each
 * other one less than the one before it, the last the moment alone. None for a clock that does not run.
 */
export function wordings(
  { room, view }: TableModel,
  clock: Clock,
  key: "days.has-until" | "days.due" = "days.due",
): readonly string[] {
  const end = room === null ? null : endAt(room, view, clock);
  return end === null ? [] : endings(end, ticking.now, key);
}

/** Return when a clock of a table ends in words, with all that there is to say; `null` for one that does not run. */
export const due = (table: TableModel, clock: Clock): string | null => wordings(table, clock)[0] ?? null;

/** Tell whether the next check is what ends a clock, and not the time that it has left. */
export const endsWithNextCheck = ({ view, room }: TableModel, { seat }: Clock): boolean =>
  seat === null && endsWithCheck(view, room);

/** Return what holds of a clock: who keeps which hours and holidays, and what happens once it has run out. */
export function clockNotes(table: TableModel, clock: Clock): string {
  const { room, view } = table;
  const seat = clock.seat ?? view?.active_player ?? null;
  const left = secondsLeft(clock, ticking.now);
  const own = left === null ? 0 : left - Math.floor(clock.reserve / 1000);
  return [
    due(table, clock) ?? "",
    own > 0 && !endsWithNextCheck(table, clock) ? t("table.clock-long", { time: clockText(own) }) : "",
    room?.options.hours === undefined
      ? ""
      : hoursSentence("days.table-plays", room.options.hours, ticking.now),
    ...(seat === null ? [] : timesOf(table, seat, clock.seat !== null)),
    ...(clock.seat === null ? [t("days.trading-hours")] : []),
    t("days.runs-out"),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

/** Return when orders are looked at next, with what makes that so long; `null` while nobody knows. */
export function nextLook(table: TableModel, beat: number | null): string | null {
  const { room, view, clocks } = table;
  const clock = clocks.find(({ seat }) => seat === null);
  if (beat === null || clock === undefined || room === null) return null;
  const whose = view?.active_player ?? null;
  const end = answerOf({ ...clock, due: beat, reserve: 0 }, room, whose, ticking.now);
  const name = whose === null ? undefined : nameOf(table, whose);
  return end === null ? null : (endings(end, ticking.now, "days.look", name)[0] ?? null);
}

/** Return a sentence for the hours of a seat, and one for each of its holidays; a trading keeps these alone. */
export function timesOf(table: TableModel, seat: number, withHours = true): readonly string[] {
  const own = table.room?.times?.find((times) => times.seat === seat);
  const name = nameOf(table, seat);
  const hours =
    own?.hours == null || !withHours ? [] : [hoursSentence("days.plays", own.hours, ticking.now, name)];
  const holidays = (own?.holidays ?? [])
    .filter(({ ends }) => ends > ticking.now)
    .map((holiday) => {
      const [first, last] = spanText(holiday);
      return t("days.holiday", { name, first, last });
    });
  return [...hours, ...holidays];
}

/**
 * Return whom a trading waits for, for a viewer who has done his part; for everybody, that it ends with the next check
 * where nobody is left to trade. `null` while the viewer may trade, or watches.
 */
export function waitsUntil(table: TableModel): string | null {
  const { view, room, seat } = table;
  if (view?.phase.phase !== "trade") return null;
  if (endsWithCheck(view, room)) return t("days.wait-all-short");
  if (isLeftAlone(view, room, seat)) return t("table.waits-you");
  const left = tradersLeft(view, room);
  const alone = left.length === 1 && left[0] !== view.active_player;
  if (!alone && (seat === null || (waitsFor(view, seat) && !isDone(room, seat)))) return null;
  const players = listed(left.map((other) => nameOf(table, other)));
  return t("table.say.waiting", { players });
}

/** Return what it means that the viewer is done at the next check; `null` while nobody knows when that is. */
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
