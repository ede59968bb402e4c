import { expect, test } from "vitest";
import { parameters, reworded } from "../../src/lib/patterns";
import { pattern } from "../../vite/catalogs";

const CHOICE =
  "{player} gives {you, select, yes {you {bean_acc}} other {{to} {count, plural, one {#} other {# beans}}}}";

test("a text without parameters is kept as it is shown", () => {
  expect(pattern("The market is open.")).toBe("The market is open.");
  expect(pattern("It''s <b>yours</b>")).toBe("It's <b>yours</b>");
  expect(pattern("")).toBe("");
});

test("all parameters of a text are named, those of its choices too", () => {
  expect(parameters(pattern(CHOICE))).toEqual(["player", "you", "bean_acc", "to", "count"]);
  expect(parameters("plain")).toEqual([]);
});

test("words are changed and names are not", () => {
  const changed = reworded(pattern(CHOICE), (words) => words.toUpperCase());
  expect(parameters(changed)).toEqual(parameters(pattern(CHOICE)));
  expect(JSON.stringify(changed)).toContain(" BEANS");
  expect(reworded("plain", (words) => words.toUpperCase())).toBe("PLAIN");
});
