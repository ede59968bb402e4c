import { beforeEach, expect, test, vi } from "vitest";
import { followLooks, isNew, LastLook, lookedAt } from "../../src/away/since.svelte";
import type { LiveTable } from "../../src/lib/live.svelte";

const NOON = Date.parse("2027-03-24T12:00:00Z");
let hidden = false;

beforeEach(() => {
  localStorage.clear();
  vi.setSystemTime(NOON);
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
});

const tableAt = (seq: number): LiveTable => ({ id: "t", seq, offset: 0 }) as LiveTable;

/** Look away from a page, or look at it again. */
function turn(away: boolean): void {
  hidden = away;
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Tell which of some batches are new; all have happened at noon. */
const news = (look: LastLook, at = NOON): readonly number[] =>
  [4, 5, 6].filter((seq) => isNew(look, { seq, at }));

test("who comes to a table for the first time has missed nothing", () => {
  const look = new LastLook();
  followLooks(look, tableAt(6))();
  expect(news(look)).toEqual([]);
});

test("what has happened since a page was left is new in the next one", () => {
  followLooks(new LastLook(), tableAt(4))();
  const look = new LastLook();
  const stop = followLooks(look, tableAt(6));
  expect(news(look)).toEqual([5, 6]);
  lookedAt(look);
  expect(news(look)).toEqual([]);
  stop();
});

test("what happens while one looks is not new", () => {
  followLooks(new LastLook(), tableAt(4))();
  const look = new LastLook();
  const stop = followLooks(look, tableAt(4));
  expect(news(look, NOON + 1)).toEqual([]);
  stop();
});

test("what has happened while the page was in the back is new", () => {
  const look = new LastLook();
  const table = { ...tableAt(4) };
  const stop = followLooks(look, table as LiveTable);
  turn(true);
  turn(false);
  expect(news(look)).toEqual([5, 6]);
  stop();
});
