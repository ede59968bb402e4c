import { expect, test } from "vitest";
import { after, patched, reworthed } from "../../src/lib/merge";
import { batch, view, welcome } from "../sample";

test("a patch replaces named parts and whole players, and leaves the rest", () => {
  const before = view();
  const other = { ...before.players[1], coins: 7 } as (typeof before.players)[number];
  const now = patched(before, { draw_pile: 58, players: { 1: other } });
  expect(now.draw_pile).toBe(58);
  expect(now.players.map((player) => player.coins)).toEqual([0, 7, 0]);
  expect(now.players[0]).toBe(before.players[0]);
});

test("an own part that is null takes the hand away", () => {
  expect(patched(view(), { own: null }).own).toBeNull();
});

test("worth changes for the seats that are named", () => {
  const full = { coins: 1, more: 2, next_coins: 2, steps: [] } as never;
  expect(reworthed([[null], [null]], { 1: [full] })).toEqual([[null], [full]]);
});

test("worth grows where there was none", () => {
  expect(reworthed([], { 1: [null, null] })).toEqual([[], [null, null]]);
});

test("a hidden batch changes the number alone", () => {
  const before = welcome();
  const now = after(before, batch());
  expect(now.seq).toBe(11);
  expect(now.game).toBe(before.game);
  expect(now.choices).toBe(before.choices);
});

test("the silence of the room begins anew where a batch says so", () => {
  const before = welcome();
  expect(after(before, batch({ quiet_since: 7 })).room).toEqual({ ...before.room, quiet_since: 7 });
  expect(after(before, batch()).room).toBe(before.room);
});

test("what is absent of the choices stays", () => {
  const legal = [{ do: "pass", player: 0 }] as const;
  const now = after(welcome(), batch({ legal }));
  expect(now.choices?.legal).toBe(legal);
  expect(now.choices?.offers.slots).toBe(6);
});

test("names are put over those that are known", () => {
  const now = after(welcome(), batch({ people: { u1: { name: "Bo", bot: false, handle: "" } } }));
  expect(Object.keys(now.people)).toEqual(["u0", "u1"]);
});
