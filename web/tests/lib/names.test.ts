import { beforeAll, expect, test } from "vitest";
import type { Person } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { botHint, botText, levelOf, nameOf, userName } from "../../src/lib/names";
import { liveTable } from "../mounted";
import { welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

test("two of one name are told apart by a number, in the order of seats", () => {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const people = { u0: { name: "Vera" }, u1: { name: "Bo" }, u2: { name: "Vera" }, u9: { name: "Vera" } };
  const [table] = liveTable({
    room: { ...room, seats },
    people: people as unknown as Record<string, Person>,
  });
  expect([0, 1, 2].map((seat) => nameOf(table, seat))).toEqual(["Vera", "Bo", "Vera 2"]);
  expect([userName(table, "u2"), userName(table, "u9")]).toEqual(["Vera 2", "Vera"]);
});

test("a computer player beside a person of its name has another one, and the person keeps the name", () => {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) =>
    place === 1 ? { ...seat, user: null, bot: "gentle-1" } : { ...seat, user: `u${place}`, bot: null },
  );
  const people = { u0: { name: "Vera" }, u2: { name: "Bert" } };
  const [table] = liveTable({
    room: { ...room, seats },
    people: people as unknown as Record<string, Person>,
  });
  expect([0, 1, 2].map((seat) => nameOf(table, seat))).toEqual(["Vera", "Britta", "Bert"]);
});

test("a computer player has the words of its level, whichever version it is", () => {
  expect(levelOf("strong-12")).toBe("strong");
  expect(levelOf("no-trade")).toBe("no-trade");
  expect(botText("strong-1")).toBe(botText("strong"));
  expect(botHint("gentle-1")).toBe(botHint("gentle"));
  expect(botHint("gentle-1")).not.toBe("");
});
