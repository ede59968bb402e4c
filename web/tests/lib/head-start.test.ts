import { beforeAll, expect, test } from "vitest";
import { headStartBy, headStartText, withHeadStart } from "../../src/lib/head-start";
import { loadLanguage } from "../../src/lib/i18n.svelte";

beforeAll(() => loadLanguage("en"));

test("the head start of a seat is read from the house rules, and put there in place of an earlier one", () => {
  const rules = withHeadStart(["fields=3", "head_start=1:2:0"], { seat: 1, coins: 3, cards: 1 });

  expect(rules).toEqual(["fields=3", "head_start=1:3:1"]);
  expect(headStartBy(rules, 1)).toEqual({ seat: 1, coins: 3, cards: 1 });
  expect(headStartBy(rules, 2)).toBeNull();
});

test("a head start of nothing is none", () => {
  expect(withHeadStart(["head_start=1:2:0", "head_start=0:0:1"], { seat: 1, coins: 0, cards: 0 })).toEqual([
    "head_start=0:0:1",
  ]);
});

test("a head start is told by what it has", () => {
  expect(headStartText({ seat: 0, coins: 2, cards: 1 })).toBe("2 coins and 1 card");
  expect(headStartText({ seat: 0, coins: 0, cards: 3 })).toBe("3 cards");
});
