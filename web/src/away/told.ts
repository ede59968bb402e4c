/** What is told at tables over days: until when somebody has time, and what one waits for who has done his part. */
import { loaders } from "virtual:catalogs/days";
import type { Key } from "../generated/keys";
import type { Batch, Clock, ShownEvent } from "../generated/protocol";
import { lastsDays } from "../lib/days";
import { loadFurther, t } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { ticking } from "../table/now.svelte";
import { isAway, isStandIn } from "../table/people";
import type { Activity } from "../table/status";
import { isDone, waitsFor } from "../table/waiting";
import { momentText } from "./resting";

/** Load its own texts; returns whether they are there. */
export const loadTexts = (): Promise<boolean> => loadFurther(loaders);

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
  const ends = clock === undefined ? null : endOf(clock, ticking.now);
  return ends === null ? null : { text: t("days.has-until", { time: when(ends) }), busy: true };
}

/** Return the clock that runs for a seat: its own, or that of the trading. */
function clockOf(table: TableModel, seat: number): Clock | undefined {
  return (
    table.clocks.find((clock) => clock.seat === seat) ?? table.clocks.find((clock) => clock.seat === null)
  );
}

/** Return what the viewer waits for who has done his part in a trading; `null` while nobody knows until when. */
export function waitsUntil(table: TableModel): string | null {
  const clock = table.clocks.find(({ seat }) => seat === null);
  if (isDone(table.room, table.seat) || allDone(table)) {
    const look = clock?.beat ?? clock?.due ?? null;
    return look === null ? null : t("days.wait-done", { time: when(look) });
  }
  const ends = clock?.due ?? null;
  return ends === null ? null : t("days.wait-passed", { time: when(ends) });
}

/** Tell whether everybody has passed or is done: then the trading ends at the next look. */
function allDone({ view, room }: TableModel): boolean {
  const phase = view?.phase;
  if (view === null || phase?.phase !== "trade") return false;
  return view.players.every((_, seat) => phase.passes.includes(seat) || isDone(room, seat));
}

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

/** Return what has happened with what brought it about, if its player did not, clocks over days only. */
export function withCause(
  text: string,
  { event }: ShownEvent,
  cause: Batch["cause"],
  { room }: TableModel,
): string {
  if (cause === undefined || (cause === "clock" && !lastsDays(room?.options.clock))) return text;
  const key = CAUSES[cause];
  return key === undefined || !DONE_FOR.includes(event) ? text : t(key, { text });
}
