import { beforeAll, expect, test } from "vitest";
import { roomForNames } from "../../../src/board/market/names";
import { Bean } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";

beforeAll(() => loadLanguage("en"));

test("one kind for another has room for its names on three lines", () => {
  expect(roomForNames({ give: [Bean.WAX], get: [Bean.GREEN] }, "dense")).toBe(true);
});

test("two kinds for nothing have none: the words for nothing need it", () => {
  expect(roomForNames({ give: [Bean.BLACK_EYED, Bean.WAX], get: [] }, "dense")).toBe(false);
});

test("beside bonus cards there is less room", () => {
  const sides = { give: [Bean.BLACK_EYED], get: [Bean.SOY] };
  expect([roomForNames(sides, "dense"), roomForNames(sides, "duel")]).toEqual([true, false]);
});

test("with all its lines a ticket names two kinds however long, and more as long as they are short", () => {
  expect(roomForNames({ give: [Bean.BLACK_EYED], get: [Bean.COFFEE] }, "wide")).toBe(true);
  expect(roomForNames({ give: [Bean.RED, Bean.SOY], get: [Bean.WAX] }, "wide")).toBe(true);
  expect(roomForNames({ give: [Bean.BLACK_EYED, Bean.COFFEE], get: [Bean.GARDEN] }, "wide")).toBe(false);
});
