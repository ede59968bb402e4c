import { expect, test } from "vitest";
import type { AnyCommand, FieldWorth, View, Welcome } from "../../src/generated/protocol";
import { TableModel } from "../../src/lib/model.svelte";
import { needsConfirmation } from "../../src/table/confirm";
import { view, welcome } from "../sample";

const HARVEST = { do: "harvest", player: 0, field: 0 } as const;
const NOTHING: FieldWorth = {
  bean: 8,
  coins: 0,
  discards: 1,
  more: 1,
  next_coins: 1,
  steps: [[2, 1]],
  fits: [],
};

/** A table as seat 0 sees it, whose field earns nothing. */
function seen(legal: readonly AnyCommand[], changes: Partial<View> = {}): TableModel {
  const table = new TableModel();
  const made = welcome({ game: view({ active_player: 0, ...changes }), worth: [[NOTHING]] });
  table.welcome({ ...made, choices: { ...made.choices, legal } as Welcome["choices"] });
  return table;
}

test("a harvest for nothing is asked once more where something else is possible", () => {
  expect(needsConfirmation(HARVEST, seen([HARVEST, { do: "plant", player: 0, field: 1 }]))).toBe(true);
});

test("a harvest for nothing is not asked once more where it is the only move", () => {
  expect(needsConfirmation(HARVEST, seen([HARVEST]))).toBe(false);
});

test("a harvest for nothing in another's turn is asked once more", () => {
  expect(needsConfirmation(HARVEST, seen([HARVEST], { active_player: 1 }))).toBe(true);
});
