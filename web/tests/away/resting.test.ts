import { expect, test } from "vitest";
import { momentText } from "../../src/away/resting";

const HOUR = 3_600_000;
const NOON = new Date(2027, 2, 24, 12).getTime();

test("a moment of today is told by its time, one within days by its weekday too, before and after", () => {
  expect(momentText(NOON - HOUR, NOON)).toMatch(/^11:00/);
  expect(momentText(NOON - 48 * HOUR, NOON)).toMatch(/^Mon.* 12:00/);
  expect(momentText(NOON + 48 * HOUR, NOON)).toMatch(/^Fri.* 12:00/);
});

test("a moment long ago or far ahead is told by its date", () => {
  expect(momentText(NOON - 10 * 24 * HOUR, NOON)).toContain("14");
  expect(momentText(NOON + 10 * 24 * HOUR, NOON)).toContain("3");
});

test("a moment far ahead is told with its hour", () => {
  expect(momentText(NOON + 10 * 24 * HOUR, NOON)).toMatch(/Apr 3, 12:00/);
});
