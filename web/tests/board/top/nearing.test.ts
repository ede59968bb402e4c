import { expect, test } from "vitest";
import { beganLastPass, nearing } from "../../../src/board/top/nearing";
import type { PhaseView, View } from "../../../src/generated/protocol";
import { view } from "../../sample";

const PLANT: PhaseView = { phase: "plant", planted: 0 };
const TRADE: PhaseView = { phase: "trade", face_up: [], offers: [], passes: [] };

/** A game of three in the last of three rounds of the deck, with so many cards in the draw pile. */
const left = (draw_pile: number, phase: PhaseView, changes: Partial<View> = {}): View =>
  view({ draw_pile, phase, exhaustions: 2, ...changes });

test("the turn that takes the last card is the last, once its cards are turned over or before", () => {
  expect([nearing(left(5, PLANT)), nearing(left(3, TRADE))]).toEqual(["turn", "turn"]);
  expect([nearing(left(6, PLANT)), nearing(left(4, TRADE))]).toEqual(["soon", "soon"]);
  expect(nearing(left(0, TRADE, { exhaustions: 3 }))).toBe("turn");
});

test("the end is near when nobody has more than one turn left", () => {
  const players = view().players.length;
  expect([nearing(left(5 * players, PLANT)), nearing(left(5 * players + 1, PLANT))]).toEqual(["soon", null]);
  expect(nearing(left(6, PLANT, { exhaustions: 1 }))).toBeNull();
});

test("the end of a duel is not foretold, and none is near behind it", () => {
  const rules = { ...view().rules, game: "das-duell" as const };
  expect(nearing(left(3, TRADE, { rules }))).toBeNull();
  expect(nearing(left(0, { phase: "end" } as PhaseView, { exhaustions: 3 }))).toBeNull();
});

test("the last run of the deck begins where the one before it has run out", () => {
  const before = left(1, TRADE, { exhaustions: 1 });
  expect(beganLastPass(before, left(60, PLANT))).toBe(true);
  expect(beganLastPass(left(60, PLANT), left(58, TRADE))).toBe(false);
  expect(beganLastPass(null, left(60, PLANT))).toBe(false);
  const short = { ...view().rules, exhaustions: 1 };
  expect(beganLastPass(view({ rules: short }), view({ rules: short, exhaustions: 1 }))).toBe(false);
});
