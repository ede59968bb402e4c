import { expect, test } from "vitest";
import type { Bean, ShownEvent, TradedShown } from "../../../src/generated/protocol";
import { TableModel } from "../../../src/lib/model.svelte";
import { wishesOf, withoutGranted } from "../../../src/table/talk/wishes";
import { batch, view, welcome } from "../../sample";

const [RED, BLUE]: readonly Bean[] = [8, 2] as const;
const TURN: ShownEvent = { event: "turn-began", player: 0, leftovers: [] };
const SAID: ShownEvent = { event: "wish-set", player: 1, bean: 8, mark: "want" };

const traded = (maker: number, partner: number, given: readonly Bean[]): TradedShown => ({
  event: "traded-shown",
  offer: 1,
  maker,
  partner,
  maker_hand: given,
  maker_face_up: [],
  partner_hand: [],
  partner_face_up: [],
  own: [],
});

/** Return what Bert is shown to want, who has said that he wants red and blue, after these events. */
function wants(...events: readonly ShownEvent[]): readonly Bean[] {
  const none = { want: [], spare: [] };
  const wishes = [none, { want: [2, 8] as const, spare: [5] as const }, none];
  const table = new TableModel();
  table.welcome(welcome({ game: view({ talk: { wishes, promises: [], next_promise: 1 } }), seq: 100 }));
  table.take(batch({ seq: 99, events }));
  expect(wishesOf(table, 1)?.spare).toEqual([5]);
  expect(withoutGranted(table)?.talk.wishes[1]).toEqual(wishesOf(table, 1));
  expect(withoutGranted(table)?.talk.wishes[0]).toEqual(none);
  return wishesOf(table, 1)?.want ?? [];
}

test("a wish is shown until it is granted", () => {
  expect(wants(TURN, SAID)).toEqual([BLUE, RED]);
  expect(wants(TURN, SAID, traded(0, 1, [8]))).toEqual([BLUE]);
});

test("a wish of one player is not granted by what another gets, or by what he gives himself", () => {
  expect(wants(TURN, SAID, traded(0, 2, [8]))).toEqual([BLUE, RED]);
  expect(wants(TURN, SAID, traded(1, 0, [8]))).toEqual([BLUE, RED]);
});

test("a granted wish counts again once it is said anew, or in the next turn", () => {
  expect(wants(TURN, SAID, traded(0, 1, [8]), SAID)).toEqual([BLUE, RED]);
  expect(wants(TURN, SAID, traded(0, 1, [8]), TURN)).toEqual([BLUE, RED]);
});

test("what lay face up grants a wish as well", () => {
  const faceUp = { ...traded(0, 1, []), maker_face_up: [[0, 8]] as const };
  expect(wants(TURN, SAID, faceUp)).toEqual([BLUE]);
  const given = { ...traded(1, 0, []), partner_face_up: [[0, 8]] as const };
  expect(wants(TURN, SAID, given)).toEqual([BLUE]);
});
