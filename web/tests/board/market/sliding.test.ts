import { expect, test } from "vitest";
import { anyMoved } from "../../../src/board/market/sliding.svelte";

test.each([
  { what: "one that comes behind", before: [1, 2], now: [1, 2, 3], moved: false },
  { what: "one that goes", before: [1, 2], now: [1, -2], moved: false },
  { what: "one that comes before", before: [1, 2], now: [3, 1, 2], moved: true },
  { what: "a hole that closes", before: [1, -2, 3], now: [1, 3], moved: true },
  { what: "an exchange of places", before: [1, 2], now: [2, 1], moved: true },
])("$what moves others: $moved", ({ before, now, moved }) => {
  expect(anyMoved(before, now)).toBe(moved);
});
