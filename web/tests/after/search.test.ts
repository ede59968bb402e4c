import { describe, expect, it } from "vitest";
import { holds, pieces, ranges, words } from "../../src/after/search";

describe("words", () => {
  it("are small and without diacritics, each once", () => {
    expect(words("  Érnte, ernte  HÓND ")).toEqual(["ernte", "hond"]);
  });

  it("are none for an empty query", () => {
    expect(words("   ")).toEqual([]);
  });
});

describe("search", () => {
  it("finds a word without its diacritics, and with", () => {
    expect(holds(["Þriðji akurinn er ókeypis"], words("thridji okeypis"))).toBe(true);
    expect(holds(["Planting av bönor"], words("bönor"))).toBe(true);
    expect(holds(["Weiße Bohnen"], words("weisse"))).toBe(true);
  });

  it("wants every word, in any of the texts", () => {
    expect(holds(["HARVEST-4", "Single beans"], words("harvest bean"))).toBe(true);
    expect(holds(["HARVEST-4", "Single beans"], words("harvest coin"))).toBe(false);
  });

  it("keeps the marks of Japanese, which make another letter", () => {
    expect(holds(["カード"], words("ガード"))).toBe(false);
    expect(holds(["ガード"], words("ｶﾞｰﾄﾞ"))).toBe(true);
  });

  it("marks what it found in the letters of the text", () => {
    expect(pieces("Die Érnte", words("ernte"))).toEqual([
      { text: "Die ", hit: false },
      { text: "Érnte", hit: true },
    ]);
    expect(pieces("Straße", words("ss"))).toEqual([
      { text: "Stra", hit: false },
      { text: "ß", hit: true },
      { text: "e", hit: false },
    ]);
  });

  it("joins what overlaps", () => {
    expect(ranges("planting", words("plant lanti"))).toEqual([[0, 6]]);
  });

  it("gives the whole text where nothing is looked for", () => {
    expect(pieces("all", [])).toEqual([{ text: "all", hit: false }]);
    expect(pieces("", [])).toEqual([{ text: "", hit: false }]);
  });
});
