import { expect, test } from "vitest";
import { canLeave, termsOf, usedLast } from "../../src/away/away";
import { welcome } from "../sample";

const CHOSEN = { give: 9, most: 2, take: 2, least: 1, times: 3 } as const;

test("an order says only what means something", () => {
  expect(termsOf(CHOSEN)).toEqual(CHOSEN);
  expect(termsOf({ ...CHOSEN, give: null })).toEqual({ give: null, take: 2, least: 1, times: 3 });
  expect(termsOf({ ...CHOSEN, take: null })).toEqual({ give: 9, most: 2, take: null, times: 3 });
});

test("an order for nothing, or of one kind for the same, is none", () => {
  expect(termsOf({ ...CHOSEN, give: null, take: null })).toBeNull();
  expect(termsOf({ ...CHOSEN, take: 9 })).toBeNull();
});

test("something is left at a table over days that plays", () => {
  const { room } = welcome();
  const days = { ...room, options: { ...room.options, clock: "12h" } } as const;
  expect(canLeave(days)).toBe(true);
  expect(canLeave({ ...days, status: "finished" })).toBe(false);
  expect(canLeave({ ...room, options: { ...room.options, clock: "none" } })).toBe(false);
});

test("what is used up stands behind what is live", () => {
  const left = [
    { id: "used", carried: 2, times: 2 },
    { id: "live", carried: 1, times: 2 },
    { id: "once", carried: 1, times: undefined },
    { id: "new", carried: 0, times: undefined },
  ];
  expect(usedLast(left, ({ times }) => times).map(({ id }) => id)).toEqual(["live", "new", "used", "once"]);
});
