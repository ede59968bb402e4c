import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loaders } from "virtual:catalogs/keys";
import { has, loadFurther, loadLanguage } from "../../../src/lib/i18n.svelte";
import {
  BINDINGS,
  bindingsOf,
  characterOf,
  meaning,
  printed,
  sceneOf,
  SCENES,
  scenesOf,
} from "../../../src/board/keys/keymap";
import { view } from "../../sample";

beforeAll(async () => {
  await loadLanguage("en");
  await loadFurther(loaders);
});

test.each(SCENES)("no key has two meanings while %s", (scene) => {
  const keys = BINDINGS.filter((binding) => binding.scenes.includes(scene)).map((binding) => binding.key);
  expect(keys).toEqual([...new Set(keys)]);
});

test("every key is one character, and everything it does is told in the list of keys", () => {
  for (const binding of BINDINGS) {
    expect(binding.key).toHaveLength(1);
    expect(has(`key.${binding.action}`), binding.action).toBe(true);
  }
});

test("only tickets have a zero", () => {
  expect(meaning("0", "plant")).toBeUndefined();
});

test("all numbers mean what 1 means, letters what they mean in their scene", () => {
  expect(meaning("7", "trade")?.action).toBe("ticket");
  expect(meaning("3", "plant")?.action).toBe("field");
  expect(meaning("n", "plant")?.action).toBe("next");
  expect(meaning("n", "gift")?.action).toBe("name");
  expect(meaning("a", "plant")).toBeUndefined();
  expect(meaning("0", "trade")?.action).toBe("ticket");
});

test("the scene follows the phase", () => {
  expect(sceneOf(view())).toBe("trade");
  expect(sceneOf(view({ phase: { phase: "plant-traded" } }))).toBe("plant");
  expect(sceneOf(view({ phase: { phase: "bonus", discarding: [], refilling: [0] } }))).toBe("bonus");
  expect(sceneOf(null)).toBe("plant");
});

test("where a layout has no Latin letters the place of the key counts", () => {
  expect(characterOf({ key: "ф", code: "KeyA" })).toBe("a");
  expect(characterOf({ key: "A", code: "KeyA" })).toBe("a");
  expect(characterOf({ key: "q", code: "KeyA" })).toBe("q");
  expect(characterOf({ key: "?", code: "Digit7" })).toBe("?");
  expect(characterOf({ key: "ö", code: "Semicolon" })).toBe("ö");
  expect(characterOf({ key: "Enter", code: "Enter" })).toBe("Enter");
});

const SOURCES = join(import.meta.dirname, "../../../src");
const parts = ["board", "table", "parts"]
  .flatMap((folder) =>
    readdirSync(join(SOURCES, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".svelte"))
      .map((name) => readFileSync(join(SOURCES, folder, name), "utf8")),
  )
  .join("\n");

test.each([
  "a",
  "c",
  "d",
  "w",
  "e",
  "v",
  "o",
  ".",
  "t",
  "b",
  "u",
  "i",
  "l",
  "m",
  "r",
  "s",
  "x",
  "Enter",
  "Escape",
])("a button is marked with the key %s", (key) => {
  expect(parts.includes(`data-key="${key}"`)).toBe(true);
});

test.each([
  "data-card",
  "data-face-up",
  "data-aside",
  "data-gift",
  "data-field",
  "data-harvest",
  "data-offer",
  "data-pick",
  "data-wants",
  "data-less",
  "data-tray",
  "data-talk",
  "data-menu",
  "data-way-to-pay",
  "data-take",
  "data-name",
  "data-kind-name",
  "data-way",
  "data-discard",
  "data-discard-bonus",
  "data-bonus",
])("something on the page is marked as %s", (mark) => {
  expect(new RegExp(`${mark}[=\\s>]`).test(parts)).toBe(true);
});

const MAIN = { game: "main", bonus_hand: 0, fields: 2, max_fields: 3 };

test("a game without gifts and bonus cards has no keys for them", () => {
  expect(scenesOf(MAIN)).toEqual(["plant", "trade"]);
  expect(bindingsOf(MAIN).map(({ action }) => action)).not.toContain("claim");
  expect(scenesOf({ ...MAIN, game: "das-duell", bonus_hand: 3 })).toEqual(SCENES);
});

test("only where a field may be bought there is a key for it", () => {
  const buys = (rules: typeof MAIN): boolean => bindingsOf(rules).some(({ action }) => action === "buy");
  expect(buys(MAIN)).toBe(true);
  expect(buys({ ...MAIN, max_fields: 2 })).toBe(false);
});

test("the keys of numbers are printed as a range", () => {
  const keysOf = (action: string) => BINDINGS.filter((each) => each.action === action).map(printed);
  expect(keysOf("ticket")).toEqual([["0–9"]]);
  expect(keysOf("field")).toEqual([["1–9"]]);
  expect(keysOf("harvest")).toEqual([["h", "1–9"]]);
  expect(keysOf("accept")).toEqual([["a"]]);
});
