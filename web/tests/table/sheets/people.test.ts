import { loaders } from "virtual:catalogs/people";
import { flushSync } from "svelte";
import { beforeAll, expect, test } from "vitest";
import { loadFurther, loadLanguage } from "../../../src/lib/i18n.svelte";
import type { Person } from "../../../src/generated/protocol";
import PeopleSheet from "../../../src/table/sheets/PeopleSheet.svelte";
import { liveTable, show } from "../../mounted";
import { view, welcome } from "../../sample";

beforeAll(async () => {
  // jsdom animates nothing
  Element.prototype.animate = () => ({ cancel: () => undefined }) as Animation;
  await loadLanguage("en");
  await loadFurther(loaders);
});

test("a computer player takes a person's seat only at the second press, which names him", () => {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const [table, socket] = liveTable({
    room: { ...room, seats, host: "u0" },
    user: "u0",
    people: { u1: { name: "Bert" } as Person },
    game: view(),
  });
  const { box } = show(PeopleSheet, table, { table, close: () => undefined });
  const pressed = (words: string): void => {
    const button = [...box.querySelectorAll("button")].find((one) => one.textContent.trim() === words);
    expect(button, words).toBeDefined();
    button?.click();
    flushSync();
  };
  const seated = (): readonly unknown[] =>
    socket.sent.filter(({ command }) => (command as { do?: string } | undefined)?.do === "seat-bot");
  pressed("Let a computer player play");
  expect(seated()).toEqual([]);
  pressed("Let a computer play for Bert?");
  expect(seated()).toHaveLength(1);
});
