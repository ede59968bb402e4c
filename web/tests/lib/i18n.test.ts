import { beforeEach, expect, test, vi } from "vitest";
import { loaders } from "virtual:catalogs";
import { loaders as lesson } from "virtual:catalogs/lesson";
import {
  has,
  LANGUAGES,
  language,
  PSEUDO,
  loadFurther,
  loadLanguage,
  region,
  t,
} from "../../src/lib/i18n.svelte";
import { loaders as account } from "virtual:catalogs/account";
import { loaders as people } from "virtual:catalogs/people";
import { pagePart } from "../../vite/catalogs";

beforeEach(() => loadLanguage("en"));

test("the seven languages are there", () => {
  expect([...LANGUAGES].sort()).toEqual(["de", "en", "is", "it", "ja", "ru", "sv"]);
});

test("a text is filled in the way of its language", async () => {
  expect(t("words.coins", { count: 1 })).toBe("1 coin");
  await loadLanguage("de");
  expect(language()).toBe("de");
  expect(t("words.coins", { count: 2 })).toBe("2 Taler");
});

test("plurals that count and those that order are two, though all texts share what says them", () => {
  expect(t("words.coins", { count: 2 })).toBe("2 coins");
  expect(t("table.pass-long", { of: 3, pass: 2, last: "no" })).toContain("2nd");
  expect(t("words.coins", { count: 2 })).toBe("2 coins");
});

test("what was asked for last is shown, however long the others take", async () => {
  const done = await Promise.all([loadLanguage("de"), loadLanguage("sv")]);
  expect([done, language()]).toEqual([[false, true], "sv"]);
});

test("a language that cannot be had leaves the texts that are shown", async () => {
  const load = loaders["it"];
  loaders["it"] = () => Promise.reject(new Error("no server"));
  expect(await loadLanguage("it")).toBe(false);
  if (load !== undefined) loaders["it"] = load;
  expect([language(), t("words.coins", { count: 1 })]).toEqual(["en", "1 coin"]);
});

test("an unknown language is English", async () => {
  await loadLanguage("tlh");
  expect(language()).toBe("en");
});

test("a key that nobody knows is shown in brackets", () => {
  expect(has("no.such-key")).toBe(false);
  expect(t("no.such-key" as never)).toBe("[no.such-key]");
});

test("a parameter that is missing shows the key instead of stopping the game", () => {
  expect(t("words.coins")).toBe("[words.coins]");
});

test("the pseudo-locale is 40 % longer and keeps parameters", async () => {
  const plain = Object.keys(pagePart("en")).filter((key) => !t(key as never).startsWith("["));
  const before = plain.map((key) => t(key as never)).join("").length;
  await loadLanguage(PSEUDO);
  const after = plain.map((key) => t(key as never)).join("").length;
  expect(after / before).toBeGreaterThan(1.3);
  expect(t("words.coins", { count: 2 })).toMatch(/^2 /);
});

test("the words of a part come with it, in every language that is chosen from then on", async () => {
  expect([has("lesson.next"), has("lesson.title")]).toEqual([false, true]);
  const load = lesson["de"];
  lesson["de"] = () => Promise.reject(new Error("no server"));
  expect([await loadFurther(lesson), t("lesson.next")]).toEqual([true, "Continue"]);
  expect([await loadLanguage("de"), t("lesson.next")]).toEqual([false, "Continue"]); // whole or not at all
  if (load !== undefined) lesson["de"] = load;
  await loadLanguage("de");
  expect(t("lesson.next")).toBe("Weiter");
});

test("further texts that are asked for together are there for everybody who asked", async () => {
  expect(await Promise.all([loadFurther(lesson), loadFurther(account), loadFurther(people)])).toEqual([
    true,
    true,
    true,
  ]);
});

test("dates are written as in the reader's country where it speaks the language that is shown", async () => {
  const languages = vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-FR", "en-GB", "en-US"]);
  expect(region()).toBe("en-GB");
  await loadLanguage("de");
  expect(region()).toBe("de");
  languages.mockRestore();
});
