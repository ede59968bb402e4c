import { beforeAll, expect, test } from "vitest";
import Clause from "../../src/after/Clause.svelte";
import type { ClauseInfo } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { liveTable, show } from "../mounted";

beforeAll(() => loadLanguage("en"));

const CLAUSE: ClauseInfo = {
  id: "GOAL-1",
  section: "GOAL",
  title: "The goal",
  text: "The most coins win.",
  language: "en",
  cites: [],
  secondary: [],
  rulings: [],
  editions: [],
};

const drawn = (anchored: boolean): string => {
  const [table] = liveTable();
  return show(Clause, table, { clause: CLAUSE, sought: [], anchored }).box.textContent;
};

test("the rules at the table print no codes of clauses", () => {
  expect(drawn(false)).toContain("The most coins win.");
  expect(drawn(false)).not.toContain("GOAL-1");
});

test("where an address leads to a clause its code is a link", () => {
  expect(drawn(true)).toContain("GOAL-1");
});
