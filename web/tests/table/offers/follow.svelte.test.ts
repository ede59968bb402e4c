import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TableModel } from "../../../src/lib/model.svelte";
import { toggleHand } from "../../../src/table/selection";
import { Selection } from "../../../src/table/state.svelte";
import { saveDraft } from "../../../src/table/offers/draft.svelte";
import { followCards, UNSENT_MS } from "../../../src/table/offers/follow.svelte";
import { batch, offer, OWN, view, welcome } from "../../sample";

let ends: (() => void)[] = [];

function composing(): [TableModel, Selection] {
  const table = new TableModel();
  table.welcome(
    welcome({
      game: view({
        active_player: 1,
        phase: { phase: "trade", face_up: [], offers: [offer()], passes: [] },
      }),
    }),
  );
  const selection = new Selection();
  ends.push(
    $effect.root(() => {
      followCards(selection, table);
      saveDraft(selection, table);
    }),
  );
  flushSync();
  toggleHand(selection, 1);
  return [table, selection];
}

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  for (const end of ends) end();
  ends = [];
});

test("an offer that is put together ends with the market", () => {
  const [table, selection] = composing();
  table.take(batch({ view: { phase: { phase: "plant-traded" } } }));
  expect([selection.open, selection.hand]).toEqual([false, []]);
});

test("who ended the market before the offer was sent is noted until another one is put together", () => {
  const [table, selection] = composing();
  table.take(batch({ view: { phase: { phase: "plant", planted: 0 }, active_player: 2 } }));
  expect(selection.unsent).toBe(1);
  selection.open = true;
  flushSync();
  expect(selection.unsent).toBeNull();
});

test("that an offer was not sent is told for some seconds, and not beside the next market", async () => {
  vi.useFakeTimers();
  const [table, selection] = composing();
  const gone = view({ phase: { phase: "plant", planted: 0 }, active_player: 2 });
  table.take(batch({ view: gone }));
  flushSync();
  await vi.advanceTimersByTimeAsync(UNSENT_MS - 1);
  expect(selection.unsent).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(selection.unsent).toBeNull();

  selection.unsent = 1;
  const { phase } = view();
  table.take(batch({ seq: 12, view: { phase } }));
  expect(selection.unsent).toBeNull();
  vi.useRealTimers();
});

test("a market that ends over an empty tray is no news", () => {
  const [table, selection] = composing();
  toggleHand(selection, 1);
  selection.open = true;
  flushSync();
  table.take(batch({ view: { phase: { phase: "plant-traded" } } }));
  expect(selection.unsent).toBeNull();
});

test("what is chosen stays when the same hand comes anew", () => {
  const [table, selection] = composing();
  table.welcome(welcome({ fresh: false }));
  expect([selection.open, selection.hand]).toEqual([true, [1]]);
});

test("what is chosen is dropped when another hand comes", () => {
  const [table, selection] = composing();
  table.welcome(welcome({ fresh: false, game: view({ own: { ...OWN, hand_revision: 5 } }) }));
  expect([selection.open, selection.hand]).toEqual([false, []]);
});

test("who ended the market while there was no connection is noted", () => {
  const [table, selection] = composing();
  table.welcome(
    welcome({ game: view({ turn: 4, active_player: 2, phase: { phase: "plant", planted: 0 } }) }),
  );
  expect(selection.unsent).toBe(1);
});

test("nobody is said to have ended a market that goes on with another hand", () => {
  const [table, selection] = composing();
  const { turn, phase } = table.view ?? view();
  table.welcome(welcome({ game: view({ turn, phase, own: { ...OWN, hand_revision: 5 } }) }));
  expect(selection.unsent).toBeNull();
});

test("what is chosen is dropped with another seat or turn", () => {
  for (const changes of [{ seat: 2 }, { game: view({ turn: 4 }) }]) {
    const [table, selection] = composing();
    table.welcome(welcome(changes));
    expect(selection.hand).toEqual([]);
  }
});

test("a new offer is kept for a reload", () => {
  const [table] = composing();
  flushSync();
  const again = new Selection();
  ends.push($effect.root(() => saveDraft(again, table)));
  expect([again.open, again.hand]).toEqual([true, [1]]);
});

test("a change of an offer does not come back as a new offer", () => {
  const [table, selection] = composing();
  selection.purpose = { is: "edit", offer: offer() };
  flushSync();
  const again = new Selection();
  ends.push($effect.root(() => saveDraft(again, table)));
  expect(again.open).toBe(false);
});
