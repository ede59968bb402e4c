import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { headline } from "../../src/board/bar/prompt";
import type { Batch, Clock, ShownEvent, View, Welcome } from "../../src/generated/protocol";
import { endings } from "../../src/away/endings";
import { answerOf, endOf } from "../../src/away/ends";
import { hoursSentence } from "../../src/away/hourtext";
import { clockNotes, due, nextLook, timesOf } from "../../src/away/told";
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
    people: {
      u1: { name: "Bert", bot: false, handle: "" },
      u2: { name: "Chiyo", bot: false, handle: "" },
    },
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
  expect(said(await tableOf(trading(), market, [1]))).toBe("done at the next check");
});

test("who is waited for and not there does not think: it is told until when he has time", async () => {
  expect(said(await tableOf({}))).toMatch(/^has until .*12:00/);
});

test("who is there thinks, over days too", async () => {
  expect(said(await tableOf({}, { present: [0, 1] }))).toBe("is thinking");
});

test("whoever has not passed a trading over days has until its end", async () => {
  expect(said(await tableOf(trading(), market))).toMatch(/^has until .*12:00/);
  expect(said(await tableOf(trading([1]), market))).toBe("has passed");
});

test("whoever is done reads whom the trading waits for, and what he has said", async () => {
  const table = await tableOf(trading(), market, [0]);
  expect(headline(table)).toBe("Waiting for Bert and Chiyo");
  expect(callText(table)).toMatch(/^You will be done at the next check, 2:00.* and pass then/);
});

test("whoever has passed in his own trading reads whom it waits for: who is not done", async () => {
  expect(headline(await tableOf(trading([0]), market))).toBe("Waiting for Bert and Chiyo");
  expect(headline(await tableOf(trading([0]), market, [1]))).toBe("Waiting for Chiyo");
});

test("whoever is done in the trading of another reads whom it waits for, too", async () => {
  expect(headline(await tableOf({ ...trading(), active_player: 1 }, market, [0, 2]))).toBe(
    "Waiting for Bert",
  );
});

test("everybody reads that a trading ends with the next check, and when that is", async () => {
  for (const user of ["u0", "u1", "nobody"]) {
    const table = await tableOf(trading([0]), { ...market, user }, [1, 2]);
    expect(headline(table)).toBe("All done: trading ends");
    expect(due(table, table.clocks[0] as Clock)).toMatch(/^due 2:00/);
  }
});

test("a trading does not end with the look while one who is done has a computer player in his seat", async () => {
  const frame = await tableOf(trading([0]), market, [1, 2]);
  const seats = frame.room?.seats.map((seat, place) => (place === 1 ? { ...seat, bot: "pk" } : seat)) ?? [];
  const room = { ...(frame.room as Welcome["room"]), seats };
  expect(headline(await tableOf(trading([0]), { ...market, room }))).toBe("Waiting for Bert");
});

test("header and seat tell the same end of a holiday, with its hour and why", async () => {
  const until = NOON + 10 * 24 * HOUR;
  const rests = [[NOON - HOUR, until]] as const;
  const times = [{ seat: 1, hours: null, holidays: [{ begins: NOON - HOUR, ends: until }] }];
  const { room } = await tableOf({});
  const frame = {
    room: { ...(room as Welcome["room"]), times },
    clocks: [clock({ due: until + HOUR, rests })],
  };
  const table = await tableOf({}, frame);
  expect(due(table, table.clocks[0] as Clock)).toMatch(/^due Apr 3, 1:00.*\(holiday\)$/);
  expect(said(table)).toMatch(/^has until Apr 3, 1:00.*\(holiday\)$/);
});

test("why a time lasts: playing hours that lie within it, and the reserve once it is used", () => {
  const hours = { begin: 480, end: 1320, zone: "Europe/Berlin" };
  const room = { options: { hours } };
  const rests = [[NOON + 9 * HOUR, NOON + 19 * HOUR]] as const;
  const why = (changes: Partial<Clock>, now = NOON): readonly string[] =>
    answerOf(clock(changes), room, 1, now)?.why ?? [];
  expect(why({ due: NOON + 8 * HOUR, rests: [] })).toEqual([]);
  expect(why({ due: NOON + 22 * HOUR, rests })).toEqual(["playing-hours"]);
  expect(why({ due: NOON + 8 * HOUR, reserve: 4 * HOUR })).toEqual([]);
  expect(why({ due: NOON + 8 * HOUR, reserve: 4 * HOUR }, NOON + 5 * HOUR)).toEqual(["reserve"]);
});

test("hours, holidays and the zone of somebody are told in sentences, also what runs out and how", async () => {
  const hours = { begin: 480, end: 1320, zone: "Europe/Berlin" };
  const day = 24 * HOUR;
  const times = [{ seat: 1, hours, holidays: [{ begins: NOON + day, ends: NOON + 3 * day }] }];
  const { room } = await tableOf({});
  const table = await tableOf({}, { room: { ...(room as Welcome["room"]), times } });
  const [plays, holiday] = timesOf(table, 1);
  expect(plays).toBe("Bert plays 8:00–22:00 (Europe/Berlin). For you: 7:00–21:00.");
  expect(holiday).toMatch(/^Bert’s holiday: Mar 25, 12:00.* to Mar 27, 12:00/);
  expect(timesOf(table, 0)).toEqual([]);
  expect(clockNotes(table, table.clocks[0] as Clock)).toMatch(
    /^due .*12:00.* · Bert plays 8:00.*When somebody’s time and reserve have run out, a computer player makes the move/,
  );
});

test("a trading keeps the table's hours: its clock does not name those of whoever has the turn", async () => {
  const hours = { begin: 480, end: 1320, zone: "Europe/Berlin" };
  const holidays = [{ begins: NOON + 90 * HOUR, ends: NOON + 114 * HOUR }];
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const options = {
    ...room.options,
    clock: "12h",
    hours: { begin: 420, end: 1380, zone: "Europe/Paris" },
  } as const;
  const table = await tableOf(trading(), {
    ...market,
    room: { ...room, seats, options, times: [{ seat: 0, hours, holidays }] },
  });
  const notes = clockNotes(table, table.clocks[0] as Clock);
  expect(notes).toContain("The table plays 7:00–23:00 (Europe/Paris).");
  expect(notes).toContain("Trading keeps the table’s hours alone");
  expect(notes).toContain("holiday: ");
  expect(notes).not.toContain("Europe/Berlin");
  const planting = clockNotes(table, { ...(table.clocks[0] as Clock), seat: 0 });
  expect(planting).toContain("Europe/Berlin");
  expect(planting).not.toContain("Trading keeps");
});

test("own hours are no reason for when a trading ends", () => {
  const hours = { begin: 480, end: 1320, zone: "Europe/Berlin" };
  const [first, second, third] = [20, 44, 68].map((after) => NOON + after * HOUR);
  const holidays = [
    { begins: first ?? 0, ends: second ?? 0 },
    { begins: second ?? 0, ends: third ?? 0 },
  ];
  const room = { options: {}, times: [{ seat: 0, hours, holidays }] };
  const rests = [[first ?? 0, third ?? 0]] as const;
  const due = NOON + 80 * HOUR;
  expect(answerOf(clock({ seat: null, due, rests }), room, 0, NOON)?.why).toEqual(["holiday"]);
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

const ending = (changes: Partial<Clock>): string => {
  const end = answerOf(clock(changes), { options: {} }, 1, NOON);
  return end === null ? "" : (endings(end, NOON, "days.due")[0] ?? "");
};

test("when a time is due is told with the reserve that begins then, in whole hours where there are many", () => {
  expect(ending({ due: NOON + 8 * HOUR, reserve: 2 * HOUR })).toMatch(/^due 6:00.*, then 2 h of reserve$/);
  expect(ending({ due: NOON + 80 * HOUR, reserve: 47.5 * HOUR })).toMatch(/, then 47 h of reserve$/);
  expect(ending({ due: NOON + 8 * HOUR, reserve: 1.5 * HOUR })).toMatch(/, then 1 h 30 min of reserve$/);
});

test("a reserve that is used up, or being used, does not follow", () => {
  expect(ending({ due: NOON + 8 * HOUR })).toMatch(/^due 8:00.*M$/);
  expect(ending({ due: NOON + 2 * HOUR, reserve: 4 * HOUR })).toMatch(/^due 2:00.* \(reserve\)$/);
});

test("where there is less room, less is told, and the moment in any case", () => {
  const end = { at: NOON + 8 * HOUR, why: ["playing-hours" as const], reserve: 2 * HOUR };
  const [first, ...others] = endings(end, NOON, "days.due");
  expect(first).toMatch(/^due 8:00.* \(playing hours\), then 2 h of reserve$/);
  expect(others.at(-1)).toMatch(/^8:00.[AP]M$/);
  expect(others.every((text) => text.includes("8:00"))).toBe(true);
  expect(others.map(({ length }) => length)).toEqual(
    others.map(({ length }) => length).toSorted((a, b) => b - a),
  );
});

test("where nobody's own times are known, a rest of a day is a holiday, and a shorter one a night", () => {
  const why = (hours: number): readonly string[] =>
    answerOf(
      clock({ due: NOON + 40 * HOUR, rests: [[NOON + HOUR, NOON + (hours + 1) * HOUR]] }),
      { options: {} },
      1,
      NOON,
    )?.why ?? [];
  expect(why(10)).toEqual(["playing-hours"]);
  expect(why(24)).toEqual(["holiday"]);
});

test("whoever alone is waited for in the trading of another reads that the game waits for him", async () => {
  const alone = { ...trading([1, 2]), active_player: 1 };
  expect(headline(await tableOf(alone, market))).toBe("Waiting for you: answer, or say “done”");
  expect(headline(await tableOf({ ...trading([2]), active_player: 1 }, market, [1]))).toMatch(
    /^Waiting for you/,
  );
  expect(headline(await tableOf({ ...trading([2]), active_player: 1 }, market))).toBe("Bert trades");
});

test("whoever watches reads who alone is waited for in the trading of another", async () => {
  const alone = { ...trading([1, 2]), active_player: 1 };
  expect(headline(await tableOf(alone, { ...market, user: "nobody" }))).toMatch(/^Waiting for /);
});

test("whoever alone is waited for thinks, while he is at the table", async () => {
  const alone = { ...trading([0, 2]), active_player: 2 };
  expect(said(await tableOf(alone, { ...market, present: [0, 1] }))).toBe("is thinking");
  expect(said(await tableOf(alone, market))).toMatch(/^has until/);
});

test("the next check is told with whose holiday makes it so long", async () => {
  const until = NOON + 4 * 24 * HOUR;
  const rests = [[NOON - HOUR, until]] as const;
  const times = [{ seat: 1, hours: null, holidays: [{ begins: NOON - HOUR, ends: until }] }];
  const { room } = await tableOf({});
  const table = await tableOf(
    { ...trading(), active_player: 1 },
    {
      room: { ...(room as Welcome["room"]), times },
      clocks: [clock({ seat: null, due: until + 9 * HOUR, beat: until + HOUR, rests })],
    },
  );
  expect(nextLook(table, until + HOUR)).toMatch(/^Sun 1:00.* \(Bert’s holiday\)$/);
  expect(nextLook(table, null)).toBeNull();
});

test("what a computer player did in somebody's seat is marked, and in its own is not", async () => {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({
    ...seat,
    user: place === 2 ? null : `u${place}`,
    bot: "pk",
  }));
  const table = await tableOf({}, { room: { ...room, seats } });
  const told = (player: number, by: number): string | null =>
    eventText(
      { event: { event: "planted", player, bean: 2, field: 0 } as ShownEvent, cause: "bot", by },
      table,
    );
  expect(told(0, 0)).toMatch(/^You plant .*\. Done by the computer player\.$/);
  expect(told(1, 1)).toMatch(/^Bert plants .*\. Done by the computer player\.$/);
  expect(told(2, 2)).not.toContain("computer player");
  expect(told(0, 1)).not.toContain("computer player");
});

test("hours are told by the reader's own clock too, unless that is the same", () => {
  const hours = (zone: string): string =>
    hoursSentence("days.plays", { begin: 480, end: 1320, zone }, NOON, "Bert");
  expect(hours("UTC")).toBe("Bert plays 8:00–22:00 (UTC).");
  expect(hours("Asia/Kolkata")).toBe("Bert plays 8:00–22:00 (Asia/Kolkata). For you: 2:30–16:30.");
  expect(hours("America/New_York")).toBe("Bert plays 8:00–22:00 (America/New York). For you: 12:00–2:00.");
});
