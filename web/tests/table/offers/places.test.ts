import { expect, test } from "vitest";
import { onDigit, placed, tidied } from "../../../src/table/offers/places";

test("an offer that goes leaves a hole, and the others stay where they are", () => {
  expect(placed([4, 5, 6], [4, 6])).toEqual([4, -5, 6]);
});

test("a hole stays as long as nothing comes", () => {
  expect(placed([4, -5, 6], [4, 6])).toEqual([4, -5, 6]);
});

test("a new offer takes the first hole, else a place behind", () => {
  expect(placed([4, -5, 6], [4, 6, 7, 8])).toEqual([4, 7, 6, 8]);
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
  const never = (): boolean => false;
  expect(tidied([6, -5, 4], first(3), never, never, true)).toEqual([6, 4]);
  expect(tidied([-1, 6, -5, 4, -7, 8], first(5), never, never, true)).toEqual([8, 6, 4]);
});

test("where there is little room what stands aside takes a hole before anything in sight moves", () => {
  const aside = (id: number): boolean => id === 7;
  expect(tidied([-5, 4, 7], first(2), aside, aside, true)).toEqual([7, 4]);
});

test("an offer out of sight takes a hole in sight, and the others there move up", () => {
  expect(tidied([6, -5, 4, -7, 8, 9], first(3))).toEqual([6, 8, 4, 9]);
});

test("an offer out of sight takes the place of one without buttons, unless it stands aside itself", () => {
  const other = (id: number): boolean => id > 6;
  expect(tidied([7, 4, 8, 2, 9], first(3), other, other)).toEqual([2, 4, 8, 7, 9]);
  expect(tidied([7, 4, 9], first(2), other, other)).toEqual([7, 4, 9]);
});

test("an offer that stands aside takes no hole", () => {
  const aside = (id: number): boolean => id === 7;
  expect(placed([4, -5, 6], [4, 6, 7], aside)).toEqual([4, -5, 6, 7]);
  expect(placed([4, -5, 6, 7], [4, 6, 7, 8], aside)).toEqual([4, 8, 6, 7]);
});

test("nothing moves for an offer that comes, but what has no buttons", () => {
  const aside = (id: number): boolean => id > 6;
  expect(placed([7], [7, 2], aside)).toEqual([7, 2]);
  expect(placed([7, 4, 8], [7, 4, 8, 2], aside)).toEqual([7, 4, 8, 2]);
  expect(placed([7, 4, 8], [7, 4, 8, 2], aside, (id) => id === 8)).toEqual([7, 4, 2, 8]);
  expect(placed([7, -5, 8], [7, 8, 2], aside, (id) => id === 8)).toEqual([7, 2, 8]);
});

test("a digit names the oldest offer whose number ends in it, then the next", () => {
  expect(onDigit(3, [13, 3, 4], null)).toBe(3);
  expect(onDigit(3, [13, 3, 4], 3)).toBe(13);
  expect(onDigit(3, [13, 3, 4], 13)).toBe(3);
  expect(onDigit(1, [2, 12], null)).toBeUndefined();
});

test("where few are in sight, one that nobody can answer here gives its place away before a hole behind it", () => {
  const aside = (id: number): boolean => id > 5;
  expect(placed([7, 4, -3], [7, 4, 2], aside, aside)).toEqual([7, 4, 2]);
  expect(placed([7, 4, -3], [7, 4, 2], aside, aside, 2)).toEqual([2, 4, -3, 7]);
  expect(placed([-3, 7], [7, 2], aside, aside, 2)).toEqual([2, 7]);
  expect(placed([7], [7, 2], aside, aside, 2)).toEqual([7, 2]);
});
