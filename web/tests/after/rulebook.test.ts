import { describe, expect, it } from "vitest";
import { apiOf, chapters, pageOf, readingOf, withEdition, withHouse } from "../../src/after/rulebook";
import { withRuleTexts } from "../../src/lib/clausetext";
import type { ClauseInfo, RuleSheet } from "../../src/generated/protocol";

const clause = (id: string, title: string, text: string): ClauseInfo => ({
  id,
  section: "x",
  title,
  text,
  language: "en",
  cites: [],
  secondary: [],
  rulings: [],
  editions: [],
});
const known = new Map(
  [
    clause("A-1", "Planting", "The front card."),
    clause("A-2", "Twice", "Plant two."),
    clause("B-1", "Selling", "A whole field."),
  ].map((each) => [each.id, each]),
);
const sheet = {
  sections: [
    { section: "a", clauses: ["A-1", "A-2"] },
    { section: "b", clauses: ["B-1", "B-9"] },
  ],
} as unknown as RuleSheet;
const text = (each: ClauseInfo): string => each.text;

describe("the address of the rules", () => {
  it("tells edition, players and house rules", () => {
    const reading = readingOf("full", new URLSearchParams("players=4&house=field_price=2&house=tie=shared"));
    expect(reading).toEqual({ edition: "full", players: 4, house: ["field_price=2", "tie=shared"] });
    expect(readingOf("full", new URL(pageOf(reading), "http://x").searchParams)).toEqual(reading);
    expect(apiOf(reading)).toBe("/api/rules?players=4&house=field_price%3D2&house=tie%3Dshared&edition=full");
  });

  it("passes over a number of players that is none", () => {
    expect(readingOf("full", new URLSearchParams("players=many")).players).toBeNull();
    expect(pageOf({ edition: "full", players: null, house: [] })).toBe("/rules/full");
  });

  it("keeps the players of another edition only if it knows the number", () => {
    const editions = [{ edition: "classic", players: [3, 4, 5], house_rules: {}, bots: [], usual: "" }];
    expect(withEdition({ edition: "full", players: 4, house: ["tie=shared"] }, "classic", editions)).toEqual({
      edition: "classic",
      players: 4,
      house: [],
    });
    expect(withEdition({ edition: "full", players: 7, house: [] }, "classic", editions).players).toBeNull();
  });

  it("has each house rule once", () => {
    expect(withHouse(["fields=3", "tie=shared"], "fields", "2")).toEqual(["tie=shared", "fields=2"]);
    expect(withHouse(["fields=3"], "fields", "")).toEqual([]);
  });
});

describe("chapters", () => {
  it("hold the clauses in force, those that are known", () => {
    expect(chapters(sheet, known, "", text).map((chapter) => chapter.clauses.map((each) => each.id))).toEqual(
      [["A-1", "A-2"], ["B-1"]],
    );
  });

  it("hold only what is looked for, by text, title or number", () => {
    expect(chapters(sheet, known, "plant", text).map((chapter) => chapter.section)).toEqual(["a"]);
    expect(chapters(sheet, known, "b-1", text)[0]?.clauses).toHaveLength(1);
    expect(chapters(sheet, known, "plant field", text)).toEqual([]);
  });
});

describe("the text of a clause", () => {
  it("says what a house rule means instead of its key", () => {
    expect(withRuleTexts("With tie=shared all win.", () => "“sharing”")).toBe("With “sharing” all win.");
  });

  it("keeps a key that has no words", () => {
    expect(withRuleTexts("With x=y.", () => null)).toBe("With x=y.");
  });
});
