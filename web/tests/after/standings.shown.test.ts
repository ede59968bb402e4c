import { beforeAll, expect, test } from "vitest";
import Standings from "../../src/after/Standings.svelte";
import type { Result } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { show } from "../mounted";
import { view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

const result: Result = { coins: [15, 9, 2], pennies: [40, 0, 0], hand_cards: [1, 2, 3], winners: [0] };

/** The lines of the standings of a game in which seat 0 has claimed these bonus cards beside 14 coins. */
function lines(bonus_claimed: readonly number[]): string[] {
  const { players } = view();
  const table = new TableModel();
  const game = view({
    phase: { phase: "end", result, unscored: [] },
    players: players.map((player, seat) => (seat === 0 ? { ...player, coins: 14, bonus_claimed } : player)),
  });
  table.welcome(welcome({ game }));
  const { box } = show(Standings as never, table, { result, summary: null });
  return [...box.querySelectorAll("li")].map((line) => line.textContent.replace(/\s+/gu, " "));
}

test("where bonus cards are among the coins, the standings tell how many were earned", () => {
  const [first, second] = lines([3]);
  expect(first).toContain("15 coins");
  expect(first).toContain("14 coins earned, and 1 bonus card");
  expect(second).not.toContain("bonus card");
});

test("without bonus cards the standings tell the coins alone", () => {
  expect(lines([]).join("")).not.toContain("earned");
});
