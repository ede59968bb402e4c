import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isSafeLate, LiveTable, type HeldSlot } from "../../src/lib/live.svelte";
import { settings } from "../../src/lib/settings.svelte";
import { FakeSocket } from "../fake-socket";
import { batch, OWN, view, welcome } from "../sample";

const PASS = { do: "pass", player: 0 } as const;
const DECLINE = { do: "decline-offer", player: 0, offer: 1, revision: 1 } as const;
const PLANT = { do: "plant", player: 0, field: 0 } as const;
let tables: LiveTable[] = [];
let slot: HeldSlot;

function last(): FakeSocket {
  return FakeSocket.all.at(-1) as FakeSocket;
}

function opened(): [LiveTable, FakeSocket] {
  slot = { held: null };
  const table = new LiveTable("t", slot);
  tables.push(table);
  last().hear(welcome());
  return [table, last()];
}

const deedsOf = (line: FakeSocket): string[] =>
  line.sent.flatMap((frame) => (frame.command === undefined ? [] : [frame.command.do]));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no server")));
  FakeSocket.all = [];
  tables = [];
  settings.takeBack = 2000;
});
afterEach(() => {
  for (const table of tables) table.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what names no offer and no hand is refused at once while the line is lost", async () => {
  const [table, line] = opened();
  line.lose();
  expect(await table.act(PASS)).toBe(false);
  expect([table.refusal?.reason, table.pending]).toEqual(["offline", 0]);
  vi.advanceTimersByTime(1000);
  last().hear(welcome());
  expect(deedsOf(last())).toEqual([]);
});

test("an answer to one revision of an offer waits for the line", () => {
  const [table, line] = opened();
  line.lose();
  void table.act(DECLINE);
  vi.advanceTimersByTime(1000);
  last().hear(welcome());
  expect(deedsOf(last())).toEqual(["decline-offer"]);
});

test("what was sent before the line was lost is sent again", () => {
  const [table, line] = opened();
  void table.act(PASS);
  line.lose();
  vi.advanceTimersByTime(1000);
  last().hear(welcome());
  expect([deedsOf(line), deedsOf(last())]).toEqual([["pass"], ["pass"]]);
});

test("that the line was lost is not told any more when it is back", async () => {
  const [table, line] = opened();
  line.lose();
  await table.act(PASS);
  vi.advanceTimersByTime(1000);
  last().hear(welcome());
  expect(table.refusal).toBeNull();
});

test("a planting is not even held back while the line is lost", () => {
  const [table, line] = opened();
  line.lose();
  table.hold(PLANT);
  expect([slot.held, table.refusal?.reason]).toEqual([null, "offline"]);
});

test("a double click does a thing once, and both clicks learn of it", async () => {
  const [table, line] = opened();
  const both = [table.act(PASS), table.act(PASS)];
  expect(deedsOf(line)).toEqual(["pass"]);
  line.hear({ type: "ack", id: line.sent[0]?.id, seq: 11 });
  expect(await Promise.all(both)).toEqual([true, true]);
});

test("the same command is a new one once the table has moved on", () => {
  const [table, line] = opened();
  void table.act(PLANT);
  line.hear(batch());
  void table.act(PLANT);
  expect(deedsOf(line)).toEqual(["plant", "plant"]);
});

test("a planting that is held back is sent before the page goes away", () => {
  const [table, line] = opened();
  table.hold(PLANT);
  dispatchEvent(new Event("pagehide"));
  expect(deedsOf(line)).toEqual(["plant"]);
});

test("a planting that is held back is dropped when the hand is another one", () => {
  const [table, line] = opened();
  table.hold(PLANT);
  line.hear(welcome({ game: view({ own: { ...OWN, hand_revision: 9 } }) }));
  expect(slot.held).toBeNull();
});

test("commands that name what they mean may come late, and no others", () => {
  expect(
    [
      PASS,
      PLANT,
      { do: "end-trading", player: 0 } as const,
      { do: "harvest", player: 0, field: 1 } as const,
    ].map(isSafeLate),
  ).toEqual([false, false, false, false]);
  expect([DECLINE, { do: "withdraw-offer", player: 0, offer: 1 } as const].map(isSafeLate)).toEqual([
    true,
    true,
  ]);
});

test("what computer players said last is kept for the log", () => {
  const [table, line] = opened();
  for (let count = 0; count < 630; count += 1)
    line.hear({ type: "remark", seat: 1, at: 5, key: "says.need", params: { bean: 8, count } });
  expect(table.remarks.length).toBe(600);
  expect(table.remarks.at(-1)?.params["count"]).toBe(629);
});

test("what is told late to who watches later is heard when it comes", () => {
  const [table, line] = opened();
  line.hear({ type: "remark", seat: 1, at: 5, key: "says.useless", params: {} });
  expect(table.remarks.at(-1)?.heard).toBe(Date.now() + table.offset);
  expect(table.remarks.at(-1)?.at).toBe(5);
});

test("talk of computer players is not shown where it is not wanted", () => {
  settings.talk = false;
  const [table, line] = opened();
  line.hear({ type: "remark", seat: 1, at: 5, key: "says.useless", params: {} });
  settings.talk = true;
  expect(table.remarks).toEqual([]);
});

test("clocks and a last call that were put off are shown with the server's time", () => {
  const [table, line] = opened();
  const clocks = [{ seat: 0, due: 90_000, left: null }];
  const last_call = { turn: 1, until: 80_000, prolonged: false, announced: 0 };
  line.hear({ type: "clocks", now: Date.now() + 5_000, clocks, last_call });
  expect([table.clocks, table.room?.last_call, table.offset]).toEqual([clocks, last_call, 5_000]);
});
