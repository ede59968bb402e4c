import { mount, unmount } from "svelte";
import { beforeAll, expect, test } from "vitest";
import { loaders } from "virtual:catalogs/days";
import { loaders as times } from "virtual:catalogs/times";
import TableCard from "../../src/lobby/TableCard.svelte";
import { linesOf, movesDue } from "../../src/away/row";
import type { TableInfo } from "../../src/generated/protocol";
import { loadFurther } from "../../src/lib/i18n.svelte";

const HOUR = 3_600_000;
const NOON = new Date(2027, 2, 24, 12).getTime();

beforeAll(() => loadFurther(loaders));

const person = (name: string): { name: string; bot: boolean; handle: string } => ({
  name,
  bot: false,
  handle: "",
});
const names = ["Ada", "Petra", "Carl"];

/** Return a running table over days of three that waits for Petra. */
const table = (changes: Partial<TableInfo>): TableInfo => ({
  table: "t",
  status: "playing",
  options: {
    edition: "full",
    house_rules: [],
    players: 3,
    clock: "12h",
    listed: false,
    spectators: true,
    delay: 0,
    pace: "normal",
  },
  host: person("Petra"),
  people: names.map(person),
  bots: 0,
  taken: 3,
  here: 0,
  opened: 0,
  moved: 0,
  mine: true,
  seats: names.map((name) => ({ person: person(name), bot: null, name: "", mine: name === "Ada" })),
  result: null,
  origin: false,
  lesson: null,
  waits: false,
  awaited: {
    seats: [1],
    phase: "plant",
    active: 1,
    paused: false,
    all_done: false,
    gift_open: false,
    clock: { seat: 1, due: NOON + 36 * HOUR, left: null, reserve: 24 * HOUR, beat: null },
  },
  hosts: false,
  ...changes,
});

const lines = (changes: Partial<TableInfo>): readonly string[] =>
  linesOf(table(changes), (seat) => names[seat] ?? "", NOON);

test("a running game says whom it waits for and until when, before the reserve", () => {
  const [line, more] = lines({});
  expect(line).toMatch(/^Waiting for Petra · due Thu.* 12:00/);
  expect(more).toBeUndefined();
});

test("a game that waits for the viewer says until when: what he is to do stands above it", () => {
  expect(lines({ waits: true })[0]).toMatch(/^due Thu.* 12:00/);
});

test("a trading in which all are done says when it ends, and waits for nobody", () => {
  const clock = { seat: null, due: NOON + 9 * HOUR, left: null, reserve: 0, beat: NOON + HOUR };
  const awaited = {
    seats: [],
    phase: "trade",
    active: 0,
    paused: false,
    all_done: true,
    clock,
    gift_open: false,
  };
  expect(lines({ awaited })[0]).toMatch(/^Everybody is done: trading ends at the next check · due 1:00/);
});

test("a game that is paused says so, and waits for nobody", () => {
  const rest = { all_done: false, clock: null, gift_open: false };
  const awaited = { seats: [], phase: "trade", active: 0, paused: true, ...rest };
  expect(lines({ awaited })).toEqual(["The game is paused."]);
});

/** Return what is the viewer's to do, as his row says it. */
function said(changes: Partial<TableInfo>): string {
  const box = document.createElement("div");
  const shown = mount(TableCard, { target: box, props: { table: table({ waits: true, ...changes }) } });
  const text = box.querySelector(".turn")?.textContent ?? "";
  void unmount(shown);
  return text;
}

test("whoever alone is waited for in the market of another reads that the game waits for him", () => {
  const awaited = {
    seats: [0],
    phase: "trade",
    active: 1,
    paused: false,
    all_done: false,
    clock: null,
    gift_open: false,
  };
  expect(said({ awaited })).toBe("Waiting for you: answer, or say “done”");
  expect(said({ awaited: { ...awaited, active: 0 } })).toBe("Your turn: trade");
});

test("a row tells the reserve behind the time, and why the time lasts so long", () => {
  const rests = [[NOON + 4 * HOUR, NOON + 14 * HOUR]] as const;
  const { awaited } = table({});
  const clock = { seat: 1, due: NOON + 36 * HOUR, left: null, reserve: 10 * HOUR, beat: null, rests };
  expect(lines({ awaited: awaited === null ? null : { ...awaited, clock } })[0]).toMatch(
    /^Waiting for Petra · due Thu 2:00.*\(playing hours\), then 10 h of reserve$/,
  );
});

test("what is to be done is called as at the table itself", () => {
  const rest = { paused: false, all_done: false, clock: null, gift_open: false };
  const awaited = { seats: [0, 1], phase: "trade", active: 1, ...rest };
  expect(said({ awaited })).toBe("Petra trades");
  expect(said({ awaited: { ...awaited, active: 0 } })).toBe("Your turn: trade");
  const asked = (phase: string, gift_open = false): string =>
    said({ awaited: { ...awaited, phase, gift_open } });
  expect(asked("plant-traded")).toBe("Plant what you got");
  expect(asked("plant-gift")).toBe("Plant what you got");
  expect(asked("gift")).toBe("Name another gift");
  expect(asked("gift", true)).toBe("Answer the gift");
  expect(said({ awaited: { ...awaited, active: 0, phase: "plant-gift" } })).toBe("Your turn: plant");
  expect(said({ awaited: { ...awaited, active: 0, phase: "reveal" } })).toBe("Your turn: turn over cards");
});

test("a full table that has not begun waits for its host to deal, and tells him nothing", () => {
  const open = { status: "open", awaited: null } as const;
  expect(lines(open)).toEqual(["Waiting for Petra to deal"]);
  expect(lines({ ...open, hosts: true })).toEqual([]);
});

test("a table with a free seat waits for somebody to sit down", () => {
  expect(lines({ status: "open", awaited: null, taken: 2 })).toEqual(["Waiting for one more player"]);
});

test("a game in which a computer player plays for the viewer says so", () => {
  const seats = table({}).seats.map((seat) => (seat.mine ? { ...seat, bot: "pk" } : seat));
  expect(lines({ seats })[1]).toBe("A computer player plays for you now.");
});

test("after a change of playing times each move that runs is told with its end", async () => {
  await loadFurther(times);
  const told = (changes: Partial<TableInfo>): readonly string[] => movesDue([table(changes)], NOON);
  const clock = { seat: 0, due: NOON + 36 * HOUR, left: null, reserve: 24 * HOUR, beat: null };
  const awaited = {
    seats: [0],
    phase: "plant",
    active: 0,
    paused: false,
    all_done: false,
    gift_open: false,
    clock,
  };
  expect(told({ waits: true, awaited })[0]).toMatch(/^Your move with Petra and Carl is due Thu.* 12:00/);
  expect(told({})).toEqual([]);
  const seats = table({}).seats.map((seat) => (seat.mine ? seat : { ...seat, person: null, bot: "pk" }));
  expect(told({ waits: true, awaited, seats })[0]).toMatch(/^Your move with Bert and Chiyo is due/);
});

test("a game that is over names whoever has won a tie first", () => {
  const result = { coins: [9, 5, 9], pennies: [0, 0, 0], hand_cards: [1, 0, 4], winners: [2] };
  const box = document.createElement("div");
  const shown = mount(TableCard, {
    target: box,
    props: { table: table({ status: "finished", awaited: null, result }) },
  });
  expect(box.textContent).toContain("Carl 9 · Ada 9 · Petra 5");
  void unmount(shown);
});
