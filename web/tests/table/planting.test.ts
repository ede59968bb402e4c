import { describe, expect, test } from "vitest";
import type { AnyCommand, View } from "../../src/generated/protocol";
import { fieldsFor, sourcesOf } from "../../src/table/planting";
import { OWN, view } from "../sample";

const planting = view({ active_player: 0, phase: { phase: "plant", planted: 0 } });
const plant = (field: number): AnyCommand => ({ do: "plant", player: 0, field });
const aside = (place: number, field: number): AnyCommand => ({
  do: "plant-set-aside",
  player: 0,
  place,
  field,
});
const traded = (set_aside: readonly (0 | 3 | 7)[]): View => {
  const base = view({ phase: { phase: "plant-traded" } });
  return {
    ...base,
    players: base.players.map((player, seat) => (seat === 0 ? { ...player, set_aside } : player)),
  };
};

describe("sourcesOf", () => {
  test("each card that may be planted is there once, with its bean", () => {
    expect(sourcesOf(planting, [plant(0), plant(1)])).toEqual([{ do: "plant", place: 0, bean: OWN.hand[0] }]);
    expect(sourcesOf(traded([3, 7]), [aside(0, 0), aside(0, 1), aside(1, 1)])).toEqual([
      { do: "plant-set-aside", place: 0, bean: 3 },
      { do: "plant-set-aside", place: 1, bean: 7 },
    ]);
  });

  test("other commands are none, and neither are cards that do not lie there", () => {
    expect(sourcesOf(planting, [{ do: "reveal", player: 0 }, aside(0, 0)])).toEqual([]);
  });
});

test("only the fields of the chosen card are its targets", () => {
  const legal = [aside(0, 0), aside(1, 1), aside(1, 2)];
  expect([...fieldsFor(legal, { do: "plant-set-aside", place: 1, bean: 7 }).keys()]).toEqual([1, 2]);
  expect(fieldsFor(legal, null).size).toBe(0);
});
