import { beforeAll, expect, test } from "vitest";
import type { ShownEvent } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import type { LiveTable } from "../../src/lib/live.svelte";
import { chronicle } from "../../src/table/chronicle";
import { FakeSocket } from "../fake-socket";
import { liveTable } from "../mounted";
import { batch } from "../sample";

beforeAll(() => loadLanguage("en"));

const bought = (player: number): ShownEvent => ({ event: "field-bought", player, coins: [], to: "box" });

const remark = (seat: number, seq: number, key: string) =>
  ({ type: "remark", seat, at: 1000 * seq, key, params: {}, seq }) as const;

/** Open a table at which seats 1 and 2 buy a field, and three say something to that; the last word comes early. */
function opened(): [LiveTable, FakeSocket] {
  const [table, socket] = liveTable();
  socket.hear(batch({ seq: 11, at: 11_000, events: [bought(1)] }));
  socket.hear(remark(1, 11, "says.field"));
  socket.hear(remark(2, 12, "says.useless"));
  socket.hear(batch({ seq: 12, at: 12_000, events: [bought(2)] }));
  socket.hear(remark(0, 11, "says.ahead"));
  return [table, socket];
}

const told = (table: LiveTable): readonly string[] => chronicle(table).map(({ text }) => text);

test("what a computer player says stands in the log behind what it said it of, whenever it was heard", () => {
  const [table] = opened();
  const lines = chronicle(table);
  expect(lines.map(({ happening }) => happening?.seq ?? null)).toEqual([11, null, null, 12, null]);
  expect(lines[1]?.text).toMatch(/^.+: .*pay.*/);
  expect(lines[2]?.text).toMatch(/: .*ahead.*/);
  expect(lines[4]?.text).toMatch(/: .*help.*/);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(5);
});

test("a word has the time at which it was said, as what happened has", () => {
  const [table] = opened();
  expect(chronicle(table).map(({ at }) => at)).toEqual([11_000, 11_000, 11_000, 12_000, 12_000]);
});

test("nothing is said of what the page has no longer in its log", () => {
  const [table] = opened();
  const whole = told(table);
  table.log = table.log.slice(1);
  expect(told(table)).toEqual(whole.slice(3));
  table.log = [];
  expect(told(table)).toEqual([]);
});

test("words of a newer server stand in no line", () => {
  const [table, socket] = opened();
  const before = told(table);
  socket.hear(remark(2, 12, "says.something-new"));
  expect(told(table)).toEqual(before);
});
