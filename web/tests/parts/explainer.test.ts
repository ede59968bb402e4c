import { flushSync } from "svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import { clauses } from "../../src/lib/clauses.svelte";
import { explaining } from "../../src/lib/explain.svelte";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import Explainer from "../../src/parts/Explainer.svelte";
import { liveTable, show } from "../mounted";
import type { ClauseInfo } from "../../src/generated/protocol";

beforeAll(() => loadLanguage("en"));
afterEach(() => explaining.hide());

test("a clause is explained with what a house rule says, not with its key", () => {
  const [table] = liveTable();
  const text = "With closing=active the trading ends when the active player says so.";
  clauses.byId = new Map([["TRADE-11", { id: "TRADE-11", title: "The end", text } as ClauseInfo]]);
  const { box } = show(Explainer, table, {});
  explaining.show(box, { text: "", clause: "TRADE-11" }, true);
  flushSync();
  const said = document.body.textContent;
  expect(said).toContain("With “the active player ends the trading” the trading ends");
  expect(said).not.toContain("closing=");
});

test("an explanation names no number of a rule, and leads to it where there is a sheet of rules", () => {
  const [table] = liveTable();
  const read: string[] = [];
  explaining.openRule = (clause) => void read.push(clause);
  const { box } = show(Explainer, table, {});
  explaining.show(box, { text: "Plant it.", clause: "TRADE-11" }, true);
  flushSync();
  expect(document.body.textContent).not.toContain("TRADE-11");
  document.querySelector<HTMLElement>(".note .rule")?.click();
  flushSync();
  expect(read).toEqual(["TRADE-11"]);
  expect(document.querySelector(".note")).toBeNull();
  explaining.openRule = null;
});
