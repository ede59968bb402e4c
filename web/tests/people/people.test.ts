/** People one knows: the search of games as it is asked for, and the chart of coins. */
import { expect, test } from "vitest";
import { aGame, points } from "../../src/people/coins";
import { searchOf } from "../../src/people/search";

const NOTHING = { name: "", edition: "", result: "", from: "", until: "" };
const game = (coins: number) => ({ at: 1, coins, place: 1, players: 3 });

test("what is empty is not asked for", () => {
  expect(searchOf(NOTHING)).toEqual([]);
  expect(searchOf({ ...NOTHING, name: " Ada ", result: "won" })).toEqual([
    ["with", "Ada"],
    ["result", "won"],
  ]);
});

test("both days of a search are included", () => {
  const [since, until] = searchOf({ ...NOTHING, from: "2026-03-28", until: "2026-03-29" });
  expect(since).toEqual(["since", String(new Date(2026, 2, 28).getTime())]);
  expect(until).toEqual(["until", String(new Date(2026, 2, 30).getTime())]);
});

test("a day that is none is not asked for", () => {
  expect(searchOf({ ...NOTHING, from: "soon" })).toEqual([]);
});

test("the best game lies on top, and one without coins on the floor", () => {
  expect(points([game(0), game(10), game(5)], 200, 90).map(({ x, y }) => [x, y])).toEqual([
    [0, 90],
    [100, 0],
    [200, 45],
  ]);
});

test("a single game stands in the middle", () => {
  expect(points([game(7)], 200, 90).map(({ x, y }) => [x, y])).toEqual([[100, 0]]);
});

test("a number a game is written as the reader writes numbers, and is none without games", () => {
  expect(aGame(25, 2, "de")).toBe("12,5");
  expect(aGame(0, 0, "de")).toBe("–");
});
