import { afterEach, expect, test } from "vitest";
import type { Catalog } from "../../src/generated/protocol";
import { session } from "../../src/lib/session.svelte";
import { botsFor, quickGame, usualBot } from "../../src/lib/tables";

afterEach(() => (session.catalog = null));

function offered(bots: readonly string[], general: readonly string[]): void {
  const editions = [{ edition: "full", players: [4], house_rules: {}, bots }];
  session.catalog = { editions, bots: general } as unknown as Catalog;
}

test("the usual computer player is the first that the server names for the edition", () => {
  offered(["new", "old"], ["other"]);
  expect([usualBot("full"), usualBot("unknown")]).toEqual(["new", "other"]);
  expect(quickGame().bots).toEqual(["new", "new", "new"]);
});

test("no computer player is known that the server does not offer", () => {
  offered([], []);
  expect([botsFor("full"), usualBot("full")]).toEqual([[], ""]);
  expect(quickGame().bots).not.toContain("pk");
});
