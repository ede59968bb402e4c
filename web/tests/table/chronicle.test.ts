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

/** Open a table at which seats 1 and 2 buy a field, and each says something to that. */
function opened(): [LiveTable, FakeSocket] {
  const [table, socket] = liveTable();
  socket.hear(batch({ seq: 11, events: [bought(1)] }));
  socket.hear({ type: "remark", seat: 1, at: 5, key: "says.field", params: {} });
  socket.hear(batch({ seq: 12, events: [bought(2)] }));
  socket.hear({ type: "remark", seat: 2, at: 6, key: "says.useless", params: {} });
  return [table, socket];
}

const told = (table: LiveTable): readonly string[] => chronicle(table).map(({ text }) => text);

test("what a computer player says stands in the log behind what it said it of", () => {
  const [table] = opened();
  const lines = chronicle(table);
  expect(lines.map(({ happening }) => happening?.seq ?? null)).toEqual([11, null, 12, null]);
  expect(lines[1]?.text).toMatch(/^.+: .*pay.*/);
  expect(lines[3]?.text).toMatch(/: .*help.*/);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(4);
});

test("nothing is said of what the page has no longer in its log", () => {
  const [table] = opened();
  const whole = told(table);
  table.log = table.log.slice(1);
  expect(told(table)).toEqual(whole.slice(2));
  table.log = [];
  expect(told(table)).toEqual([]);
});

test("words of a newer server stand in no line", () => {
  const [table, socket] = opened();
  const before = told(table);
  socket.hear({ type: "remark", seat: 2, at: 7, key: "says.something-new", params: {} });
  expect(told(table)).toEqual(before);
});
