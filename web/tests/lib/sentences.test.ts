import { beforeAll, expect, test } from "vitest";
import { loaders } from "virtual:catalogs";
import { Bean, type Mark, type OfferView, type ShownEvent } from "../../src/generated/protocol";
import { loadLanguage, t } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { beansWord, beanWord, eventText, groupWord, seatWord } from "../../src/lib/sentences";
import { pattern } from "../../vite/catalogs";
import { offer, view, welcome } from "../sample";

/** A language with forms; what the page tells otherwise is compared with Python (tests/narration). */
const MADE_UP = {
  "bean.red": "rote Bohne",
  "bean.red_acc": "rote Bohne (Akk.)",
  "beans.red": "{count} rote",
  "beans.red_dat": "{count} roten",
  "words.and": "{first} und {last}",
  "words.comma": ", ",
  "words.you": "du",
  "words.you_dat": "dir",
  "words.everybody_dat": "jedem",
  "words.everybody": "jeder",
  "event.planted": "{player} {player_is}: {bean_acc}, {bean_dat}",
  "event.drew": "mit {beans_dat}",
  "event.offer-withdrawn": "{offer} is back",
  "event.promise-withdrawn": "{promise} has ended",
  "table.offer-withdrawn": "{player}: {offer} back ({you, select, yes {yes} other {no}})",
  "table.promise-withdrawn": "{player}: {promise} ended ({you, select, yes {yes} other {no}})",
  "event.wish-set": "{player} {mark}",
  "table.wish-over": "{player} {was} {bean}",
  "event.bluff-caught": "von {giver_dat}",
  "table.discard-card": "Nimm {bean_acc}",
  "read.plants": "mit {beans_dat} und {beans}",
  "tray.mine-title": "{to_dat} ({to_is, select, you {dich} all {jeder} one {einen} other {mehrere}})",
  "event.offer-shown": "{to_dat} ({to_is, select, you {dich} all {jeder} one {einen} other {mehrere}})",
};

beforeAll(async () => {
  const texts = Object.fromEntries(Object.entries(MADE_UP).map(([key, text]) => [key, pattern(text)]));
  loaders["de"] = () => Promise.resolve({ default: texts });
  await loadLanguage("de");
});

/** Return a table of four, seen from seat 1. */
function four(): TableModel {
  const table = new TableModel();
  const game = view();
  table.welcome(
    welcome({ seat: 1, game: { ...game, players: [...game.players, ...game.players].slice(0, 4) } }),
  );
  table.names = ["A", "B", "C", "D"];
  return table;
}

/** Return what seat 1 of four players is told. */
function told(event: ShownEvent): string | null {
  return eventText({ event }, four());
}

const offered = (to: OfferView["to"]): ShownEvent => ({
  event: "offer-shown",
  offer: offer({ maker: 0, to }),
  edited: false,
});

test("a bean is said in the form that the text names, or as it is", () => {
  expect(told({ event: "planted", player: 1, field: 0, bean: Bean.RED })).toBe(
    "B you: rote Bohne (Akk.), rote Bohne",
  );
});

test("counted beans are said in the form", () => {
  expect(told({ event: "drew", player: 1, beans: [Bean.RED, Bean.RED] })).toBe("mit 2 roten");
});

test.each([
  [1, "von dir"],
  [2, "von C"],
])("seat %d is said in the form", (giver, said) => {
  expect(told({ event: "bluff-caught", player: 0, giver, bean: Bean.RED })).toBe(said);
});

test.each([
  [[1], "dir (dich)"],
  [[2], "C (einen)"],
  [[1, 2], "dir und C (mehrere)"],
  [[1, 2, 3], "jedem (jeder)"],
])("a group of %j says who it is", (to, said) => {
  expect(told(offered(to))).toBe(said);
});

test.each([
  [{ event: "offer-withdrawn", offer: 4 }, 1, "B: 4 back (yes)"],
  [{ event: "offer-withdrawn", offer: 4 }, 2, "C: 4 back (no)"],
  [{ event: "offer-withdrawn", offer: 4 }, undefined, "4 is back"],
  [{ event: "promise-withdrawn", promise: 7 }, 0, "A: 7 ended (no)"],
  [{ event: "promise-withdrawn", promise: 7 }, undefined, "7 has ended"],
] as const)("of %j by seat %s it is told who has done it, where that is known", (event, by, said) => {
  expect(eventText({ event, by }, four())).toBe(said);
});

const said = (mark: Mark, player = 2, bean: Bean = Bean.RED): ShownEvent => ({
  event: "wish-set",
  player,
  bean,
  mark,
});

test.each<[string, ShownEvent[], string]>([
  ["what was wanted", [said("want")], "C want rote Bohne"],
  ["what could be spared", [said("want"), said("none"), said("spare")], "C spare rote Bohne"],
  [
    "what others said is not his",
    [said("keep"), said("want", 0), said("want", 2, Bean.SOY)],
    "C keep rote Bohne",
  ],
  ["what the log does not tell", [], "C none"],
  ["what was taken back before", [said("want"), said("none")], "C none"],
])("whoever takes back what he said is told with %s", (_, before, text) => {
  const table = four();
  const over = said("none");
  table.log = [...before, over, said("want")].map((event, seq) => ({ seq, at: 0, event }));
  expect(eventText({ event: over }, table)).toBe(text);
});

test("an event of a newer server is not told", () => {
  expect(told({ event: "sang" } as never)).toBeNull();
});

test("a text of the page takes a bean in the form that it names", () => {
  expect(t("table.discard-card", { bean: beanWord(Bean.RED) })).toBe("Nimm rote Bohne (Akk.)");
  expect(t("read.plants", { beans: beansWord([Bean.RED, Bean.RED]) })).toBe("mit 2 roten und 2 rote");
});

test("a word without forms is said as it is, whatever form a text names", () => {
  expect(t("table.discard-card", { bean: "Kartoffel" })).toBe("Nimm Kartoffel");
});

test("a text of the page tells who is meant", () => {
  expect(t("tray.mine-title", { to: seatWord(four(), 1) })).toBe("dir (dich)");
  expect(t("tray.mine-title", { to: groupWord(four(), [2]) })).toBe("C (einen)");
  expect(t("tray.mine-title", { to: groupWord(four(), [0, 2, 3]) })).toBe("jedem (jeder)");
});
