import { expect, test } from "vitest";
import { bestFirst } from "../../src/lib/result";

const NONE = [0, 0, 0];

test("whoever has more coins comes first", () => {
  expect(bestFirst({ coins: [3, 9, 5], pennies: NONE, hand_cards: NONE, winners: [1] })).toEqual([1, 2, 0]);
});

test("of a tie that was decided the winner comes first", () => {
  expect(bestFirst({ coins: [9, 5, 9], pennies: NONE, hand_cards: [1, 0, 4], winners: [2] })).toEqual([
    2, 0, 1,
  ]);
});

test("of a tie behind the winner whoever is placed better comes first", () => {
  expect(bestFirst({ coins: [5, 5, 9], pennies: NONE, hand_cards: [1, 4, 0], winners: [2] })).toEqual([
    2, 1, 0,
  ]);
  expect(bestFirst({ coins: [5, 5, 9], pennies: [1, 2, 0], hand_cards: NONE, winners: [2] })).toEqual([
    2, 1, 0,
  ]);
});

test("players who share a victory stand as they sit", () => {
  expect(bestFirst({ coins: [9, 5, 9], pennies: NONE, hand_cards: NONE, winners: [0, 2] })).toEqual([
    0, 2, 1,
  ]);
});
