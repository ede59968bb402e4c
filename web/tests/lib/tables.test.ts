import { afterEach, expect, test } from "vitest";
import type { Catalog } from "../../src/generated/protocol";
import { session } from "../../src/lib/session.svelte";
import { botsFor, quickGame, usualBot } from "../../src/lib/tables";

afterEach(() => (session.catalog = null));

function offered(bots: readonly string[], usual: string): void {
  const editions = [{ edition: "full", players: [4], house_rules: {}, bots, usual }];
  session.catalog = { editions } as unknown as Catalog;
}

test("the usual computer player is the one that the server names for the edition", () => {
  offered(["easy", "new"], "new");
  expect([usualBot("full"), usualBot("unknown")]).toEqual(["new", ""]);
  expect(quickGame().bots).toEqual(["new", "new", "new"]);
});

test("no computer player is known that the server does not offer", () => {
  offered([], "");
  expect([botsFor("full"), usualBot("full")]).toEqual([[], ""]);
  expect(quickGame().bots).not.toContain("pk");
});
