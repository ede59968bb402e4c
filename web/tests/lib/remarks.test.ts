import { beforeAll, expect, test } from "vitest";
import { speak } from "../../src/lib/i18n.svelte";
import { remarkText } from "../../src/lib/remarks";

beforeAll(() => speak("en"));

test("a reason is said in the language shown, its kind by name", () => {
  expect(remarkText({ key: "says.fits", params: { bean: 8 } })).toBe("Thanks, blue beans fit my field.");
});

test("so many beans of a kind are counted", () => {
  expect(remarkText({ key: "says.need", params: { bean: 8, count: 3 } })).toBe("I am 3 blue beans short of the next coin.");
});

test("a reason without parameters is said as it is", () => {
  expect(remarkText({ key: "says.too-dear", params: {} })).toBe("You would gain much more than I.");
});

test("what a newer server says in words we do not have is not said", () => {
  expect(remarkText({ key: "says.later", params: {} })).toBe("");
});
