import { beforeEach, expect, test } from "vitest";
import { Unread } from "../../src/board/unread.svelte";
import type { Line } from "../../src/generated/protocol";
import type { LiveTable } from "../../src/lib/live.svelte";

const line = (number: number, user: string): Line => ({ type: "line", line: number, user, at: 0, text: "Hello", key: "" });
const table = (lines: readonly Line[]): LiveTable => ({ id: "t", user: "me", lines }) as unknown as LiveTable;

beforeEach(() => localStorage.clear());

test("lines of others are new until they are read, own ones never", () => {
  const unread = new Unread(table([line(1, "me"), line(2, "you"), line(3, "you")]));
  expect(unread.count).toBe(2);
  unread.clear();
  expect(unread.count).toBe(0);
});

test("what was read stays read after a reload", () => {
  new Unread(table([line(1, "you")])).clear();
  expect(new Unread(table([line(1, "you"), line(2, "you")])).count).toBe(1);
});

test("a replay has no chat", () => {
  const unread = new Unread(null);
  unread.clear();
  expect(unread.count).toBe(0);
});
