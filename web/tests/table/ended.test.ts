import { beforeAll, expect, test } from "vitest";
import type { Person, Room } from "../../src/generated/protocol";
import { headline } from "../../src/board/bar/prompt";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { eventText } from "../../src/lib/sentences";
import { liveTable } from "../mounted";
import { view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

/** Return the headline of a table that was given up, as somebody reads it. */
function ended(by: Room["ended_by"], user = "u1"): string {
  const { room } = welcome();
  const [table] = liveTable({
    room: { ...room, host: "u0", status: "abandoned", ended_by: by },
    people: { u0: { name: "Ada" } as Person },
    game: view({}),
    user,
  });
  return headline(table);
}

test("the headline says who has ended the game", () => {
  expect([ended("host"), ended("host", "u0"), ended("operator"), ended("left")]).toEqual([
    "Ada has ended this game",
    "You have ended this game",
    "The operator has ended this game",
    "Everybody has left this game",
  ]);
});

test("a game whose log is older than that is just abandoned", () => {
  const [table] = liveTable();
  expect([ended(""), eventText({ event: { event: "abandoned" } }, table)]).toEqual([
    "This game was abandoned",
    "The table was closed.",
  ]);
});
