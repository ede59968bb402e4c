import { expect, test } from "vitest";
import type { ShownEvent } from "../../../src/generated/protocol";
import { claimsOf } from "../../../src/board/duel/claims";

const claim = (at: number, player: number, bonus: number) => ({
  at,
  event: { event: "bonus-claimed", player, bonus } satisfies ShownEvent,
});
const other = (at: number) => ({ at, event: { event: "turn-began" } as ShownEvent });

test("claims of somebody else are told for a while, whatever happens since", () => {
  const log = [claim(10, 1, 3), claim(40, 1, 7), other(41), claim(60, 1, 8), other(70)];

  expect(claimsOf(log, 0, 20)).toEqual({ player: 1, bonus: [7, 8], at: 60 });
  expect(claimsOf(log, 0, 60)).toBeNull();
});

test("claims of the viewer are not told", () => {
  expect(claimsOf([claim(10, 0, 3)], 0, 0)).toBeNull();
  expect(claimsOf([claim(10, 1, 4), claim(20, 0, 3)], null, 0)).toEqual({ player: 0, bonus: [3], at: 20 });
});
