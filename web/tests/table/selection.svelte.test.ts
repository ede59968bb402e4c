import { expect, test } from "vitest";
import type { Bean } from "../../src/generated/protocol";
import { TableModel } from "../../src/lib/model.svelte";
import { tapCard } from "../../src/table/selection";
import { Selection } from "../../src/table/state.svelte";
import { offer, view, welcome } from "../sample";

const [RED, SOY]: readonly [Bean, Bean] = [8, 6];

/** Return a market with a red card face up, in which the viewer holds red, soy, red and red. */
function market(): TableModel {
  const made = new TableModel();
  const game = view({ phase: { phase: "trade", face_up: [RED], offers: [], passes: [] } });
  if (game.own == null) throw new Error("a hand is needed");
  made.welcome(welcome({ game: { ...game, own: { ...game.own, hand: [RED, SOY, RED, RED] } } }));
  return made;
}

/** Tap hand cards one after the other while an offer that asks for these beans is accepted. */
function accepting(want: readonly Bean[], places: readonly number[]): Selection {
  const selection = new Selection();
  selection.purpose = { is: "accept", offer: offer({ want }) };
  for (const place of places) tapCard(selection, market(), "hand", place);
  return selection;
}

test("another card of the kind takes the place of the one that was chosen", () => {
  expect(accepting([RED], [0, 2]).hand).toEqual([2]);
});

test("so many of a kind as are asked for stay chosen, the last ones", () => {
  expect(accepting([RED, RED], [0, 2, 3]).hand).toEqual([2, 3]);
});

test("a hand card takes the place of one that lies face up", () => {
  const selection = accepting([RED], []);
  selection.faceUp = [0];
  tapCard(selection, market(), "hand", 2);
  expect([selection.faceUp, selection.hand]).toEqual([[], [2]]);
});

test("a second tap lowers a card, and other kinds displace none", () => {
  expect(accepting([RED], [0, 0]).hand).toEqual([]);
  expect(accepting([RED], [0, 1]).hand).toEqual([0, 1]);
});

test("an offer of one's own takes as many cards of a kind as are tapped", () => {
  const selection = new Selection();
  for (const place of [0, 2, 3]) tapCard(selection, market(), "hand", place);
  expect(selection.hand).toEqual([0, 2, 3]);
});
