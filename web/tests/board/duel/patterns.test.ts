import { beforeAll, expect, test } from "vitest";
import { meaning } from "../../../src/board/duel/patterns";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { view } from "../../sample";

beforeAll(() => loadLanguage("en"));

const CARD = { runs: [2, 1], pennies: 20 };

/** Return what is said of the card at a table with these house rules. */
function said(...house_rules: string[]): string {
  const game = view();
  return meaning(CARD, { ...game, rules: { ...game.rules, house_rules } });
}

test("a bonus card says that its pattern is a whole field", () => {
  expect(said()).toContain(
    "once a whole field, yours or the other player’s, is: 2 beans of one kind, then 1 of the next kind.",
  );
});

test("with the house rule for it a bonus card says that a part of a field is enough", () => {
  expect(said("match=contiguous_part")).toContain(
    "once a field, yours or the other player’s, has in a row: 2 beans",
  );
});
