import { afterEach, expect, test } from "vitest";
import type { Catalog, Seat } from "../../src/generated/protocol";
import { session } from "../../src/lib/session.svelte";
import { botsFor, levelSeated, quickGame, usualBot } from "../../src/lib/tables";
import { welcome } from "../sample";

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

test("who is seated next plays at the level of the one seated last, which has a name of its own", () => {
  const [first, second, third] = welcome().room.seats;
  const seats = [
    { ...first, bot: "gentle-1" },
    { ...second, bot: "strong-1" },
    { ...third, bot: null },
  ] as Seat[];
  expect(levelSeated(seats)).toBe("strong");
  expect(levelSeated([])).toBe("");
});
