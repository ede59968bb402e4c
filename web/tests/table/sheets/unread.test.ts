import { beforeEach, expect, test } from "vitest";
import { readAll, loadRead, unread } from "../../../src/table/sheets/unread";
import { PageState } from "../../../src/table/state.svelte";
import type { Line } from "../../../src/generated/protocol";
import type { LiveTable } from "../../../src/lib/live.svelte";

const line = (number: number, user: string): Line => ({
  type: "line",
  line: number,
  user,
  at: 0,
  text: "Hello",
  key: "",
});
const table = (lines: readonly Line[]): LiveTable => ({ id: "t", user: "me", lines }) as unknown as LiveTable;

beforeEach(() => localStorage.clear());

/** The state of a page that was opened just now. */
function opened(live: LiveTable | null): PageState {
  const page = new PageState();
  loadRead(page, live);
  return page;
}

test("lines of others are new until they are read, own ones never", () => {
  const live = table([line(1, "me"), line(2, "you"), line(3, "you")]);
  const page = opened(live);
  expect(unread(page, live)).toBe(2);
  readAll(page, live);
  expect(unread(page, live)).toBe(0);
});

test("what was read stays read after a reload", () => {
  const before = table([line(1, "you")]);
  readAll(opened(before), before);
  const after = table([line(1, "you"), line(2, "you")]);
  expect(unread(opened(after), after)).toBe(1);
});

test("a replay has no chat", () => {
  const page = opened(null);
  readAll(page, null);
  expect(unread(page, null)).toBe(0);
});
