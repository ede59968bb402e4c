import { expect, test } from "vitest";
import { neediestFirst, onDigit, placed, tidied } from "../../../src/table/offers/places";

test("an offer that goes leaves a hole, and the others stay where they are", () => {
  expect(placed([4, 5, 6], [4, 6])).toEqual([4, -5, 6]);
});

test("a hole stays as long as nothing comes", () => {
  expect(placed([4, -5, 6], [4, 6])).toEqual([4, -5, 6]);
});

test("a new offer takes the first hole, else a place behind", () => {
  expect(placed([4, -5, 6], [4, 6, 7, 8])).toEqual([4, 7, 6, 8]);
});

test("an offer that comes back takes its own hole, so that no number lies there twice", () => {
  expect(placed([-5, -4, 6], [4, 6])).toEqual([-5, 4, 6]);
});

test("holes behind the last offer are no places", () => {
  expect(placed([4, -5, 6], [4])).toEqual([4]);
  expect(placed([4], [])).toEqual([]);
});

test("the order in which offers are given moves none that has a place", () => {
  expect(placed([4, 5], [5, 4])).toEqual([4, 5]);
});

/** The first places are in sight, so many. */
const first =
  (count: number) =>
  (at: number): boolean =>
    at < count;

test("what is in sight stays where it is, and holes there wait for an offer", () => {
  expect(tidied([6, -5, 4], first(3))).toEqual([6, -5, 4]);
});

test("where there is little room all holes are closed, and the order stays", () => {
  expect(tidied([6, -5, 4], first(3), { close: true })).toEqual([6, 4]);
  expect(tidied([-1, 6, -5, 4, -7, 8], first(5), { close: true })).toEqual([8, 6, 4]);
});

test("where there is little room what lies out of sight takes a hole before anything in sight moves", () => {
  expect(tidied([-5, 4, 7], first(2), { close: true })).toEqual([7, 4]);
});

test("an offer out of sight takes a hole in sight, and the others there move up", () => {
  expect(tidied([6, -5, 4, -7, 8, 9], first(3))).toEqual([6, 8, 4, 9]);
});

test("a hole that is not free is not taken", () => {
  expect(tidied([-6, -5, 4, 8], first(3), { isFree: (at) => at !== 0 })).toEqual([-6, 8, 4]);
});

test("a digit names the oldest offer whose number ends in it, then the next", () => {
  expect(onDigit(3, [13, 3, 4], null)).toBe(3);
  expect(onDigit(3, [13, 3, 4], 3)).toBe(13);
  expect(onDigit(3, [13, 3, 4], 13)).toBe(3);
  expect(onDigit(1, [2, 12], null)).toBeUndefined();
});

/** Ranks for offers by their number: those below 10 need the viewer. */
const rank = (id: number): number => (id < 10 ? 0 : 1);

test("an offer out of sight that needs the viewer goes before those that do not", () => {
  expect(neediestFirst([11, -5, 12, 3], rank, 1, (id) => id > 10)).toEqual([3, 11, 12]);
});

test("where all that need the viewer are in sight none goes before another", () => {
  expect(neediestFirst([11, -5, 3, 12], rank, 1, (id) => id !== 12)).toEqual([11, 3, 12]);
});

test("what needs the viewer as much keeps its order, in sight or not", () => {
  expect(neediestFirst([4, 3, 11], rank, 1, (id) => id === 4)).toEqual([4, 3, 11]);
});
