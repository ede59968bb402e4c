import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { headline } from "../../src/board/bar/prompt";
import type { Batch, Clock, ShownEvent, View, Welcome } from "../../src/generated/protocol";
import { endOf } from "../../src/away/told";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import type { LiveTable } from "../../src/lib/live.svelte";
import { eventText } from "../../src/lib/sentences";
import { loadOverDays, overDays } from "../../src/lib/overdays.svelte";
import { callText } from "../../src/table/phrases";
import { activityOf } from "../../src/table/status";
import { liveTable } from "../mounted";
import { view, welcome } from "../sample";

const HOUR = 3_600_000;
const NOON = Date.parse("2027-03-24T12:00:00Z");

beforeAll(() => loadLanguage("en"));
beforeEach(() => void vi.setSystemTime(NOON));

const clock = (changes: Partial<Clock>): Clock => ({
  seat: 1,
  due: NOON + 12 * HOUR,
  left: null,
  reserve: 0,
  beat: null,
  ...changes,
});

/** Return a table over days at which it is the second player's turn, with its words. */
async function tableOf(changes: Partial<View>, frame: Partial<Welcome> = {}, done: readonly number[] = []) {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const [table] = liveTable({
    room: { ...room, seats, done, options: { ...room.options, clock: "12h" } },
    user: "u0",
    present: [0],
    people: { u1: { name: "Bert", bot: false, handle: "" } },
    clocks: [clock({})],
    game: view({ phase: { phase: "plant", planted: 0 }, active_player: 1, waiting: [1], ...changes }),
    ...frame,
  });
  loadOverDays();
  await vi.waitUntil(() => overDays.part !== null);
  return table;
}

const trade = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
const trading = (passes: readonly number[] = []): Partial<View> => ({
  phase: { ...trade, passes },
  active_player: 0,
  waiting: [0, 1, 2].filter((seat) => !passes.includes(seat)),
});
const market = { clocks: [clock({ seat: null, beat: NOON + 2 * HOUR })] };

const said = (table: LiveTable): string | undefined => activityOf(table, 1)?.text;

test("who is done with a trading over days is told so before the look", async () => {
  expect(said(await tableOf(trading(), market, [1]))).toBe("is done");
});

test("who is waited for and not there does not think: it is told until when he has time", async () => {
  expect(said(await tableOf({}))).toMatch(/^has until .*12:00/);
});

test("who is there thinks, over days too", async () => {
  expect(said(await tableOf({}, { present: [0, 1] }))).toBe("thinks");
});

test("whoever has not passed a trading over days has until its end", async () => {
  expect(said(await tableOf(trading(), market))).toMatch(/^has until .*12:00/);
  expect(said(await tableOf(trading([1]), market))).toBe("has passed");
});

test("whoever is done with his own trading reads when orders are looked at, not that it is his turn", async () => {
  const table = await tableOf(trading(), market, [0]);
  expect(headline(table)).toMatch(/^You are done\. Next look: 2:00/);
  expect(callText(table)).toBe(headline(table));
});

test("whoever has passed in his own trading reads until when the others may trade", async () => {
  expect(headline(await tableOf(trading([0]), market))).toMatch(
    /^You have passed\. The others may trade until .*12:00/,
  );
});

test("whoever has passed when all others are done reads when the trading ends", async () => {
  expect(headline(await tableOf(trading([0]), market, [1]))).toMatch(/until .*12:00/);
  expect(headline(await tableOf(trading([0]), market, [1, 2]))).toMatch(/Next look: 2:00/);
});

test("whoever is not done reads that it is his turn", async () => {
  expect(headline(await tableOf(trading(), market))).toBe("Your turn: trade");
});

test("the time of a move ends where its reserve begins, and not in a rest", () => {
  const rests = [[NOON + 4 * HOUR, NOON + 8 * HOUR]] as const;
  const ends = (reserve: number, now = NOON): number =>
    ((endOf(clock({ reserve: reserve * HOUR, rests }), now) ?? 0) - NOON) / HOUR;
  expect([0, 2, 4, 5].map((hours) => ends(hours))).toEqual([12, 10, 8, 3]);
  expect(ends(5, NOON + 3.5 * HOUR)).toBe(12);
});

test("the log says what has made a move for somebody, and of what follows from it nothing", async () => {
  const table = await tableOf({});
  const told = (event: unknown, cause: Batch["cause"]): string | null =>
    eventText({ event: event as ShownEvent, cause }, table);
  const planted = { event: "planted", player: 1, bean: 2, field: 0 };
  const plain = told(planted, "player");
  expect(
    (["ahead", "forced", "order", "clock", "bot"] as const).map((cause) => told(planted, cause)),
  ).toEqual([
    `${plain} Set ahead.`,
    `${plain} The only possible move.`,
    `${plain} By standing order.`,
    `${plain} The time had run out.`,
    plain,
  ]);
  const drew = { event: "drew-hidden", player: 1, count: 1 };
  expect(told(drew, "ahead")).toBe(told(drew, "player"));
});
