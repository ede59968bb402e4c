import { beforeAll, expect, test } from "vitest";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { remarkText } from "../../src/lib/sentences";

const table = new TableModel();

beforeAll(() => loadLanguage("en"));

test("a reason is said in the language shown, its kind by name", () => {
  expect(remarkText({ key: "says.fits", params: { bean: 8 } }, table)).toBe(
    "Thanks, blue beans fit my fields.",
  );
});

test("so many beans of a kind are counted", () => {
  expect(remarkText({ key: "says.need", params: { bean: 8, count: 3 } }, table)).toBe(
    "I need 3 blue beans for the next coin.",
  );
});

test("a reason without parameters is said as it is", () => {
  expect(remarkText({ key: "says.too-dear", params: {} }, table)).toBe(
    "You would gain much more than I would.",
  );
});

test("what a newer server says in words we do not have is not said", () => {
  expect(remarkText({ key: "says.later", params: {} }, table)).toBe("");
});
