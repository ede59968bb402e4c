import { beforeAll, expect, test } from "vitest";
import type { Bean, Due, PromiseNote, ShownEvent, View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { TableModel } from "../../../src/lib/model.svelte";
import { areUndated, dueOf, promisesDue, promisesToKeep, promiseText } from "../../../src/table/talk/talk";
import { batch, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));

const TURN: ShownEvent = { event: "turn-began", player: 0, leftovers: [] };

/** A table at which Bert promised something, and so many turns have begun since; perhaps it is not in the log. */
function promised(due: Due, turns: number, logged = true): { table: TableModel; word: PromiseNote } {
  const word: PromiseNote = { id: 1, player: 1, to: 0, give: [3], get: [], due };
  const made: ShownEvent = { event: "promise-made", promise: word };
  const table = new TableModel();
  const game = view({ talk: { wishes: [], promises: [word], next_promise: 2 } });
  table.welcome(welcome({ game, seq: 100 }));
  const events = [TURN, ...(logged ? [made] : []), ...Array.from({ length: turns }, () => TURN)];
  table.take(batch({ seq: 99, events }));
  return { table, word };
}

const due = (when: Due, turns: number, logged = true): string => {
  const { table, word } = promised(when, turns, logged);
  return dueOf(word, table);
};

test("a promise for this turn is over with it", () => {
  expect([0, 1].map((turns) => due("this-turn", turns))).toEqual(["this-turn", "over"]);
});

test("a promise for the next turn is due in that one, and then over", () => {
  expect([0, 1, 2].map((turns) => due("next-turn", turns))).toEqual(["next-turn", "this-turn", "over"]);
});

test("a promise for some time is never over", () => {
  expect(due("some-time", 9)).toBe("some-time");
});

test("a promise from before the log begins is over once the log has the turns that it had", () => {
  // one turn begins at the start of the log
  expect(due("this-turn", 0, false)).toBe("over");
  expect([0, 1].map((turns) => due("next-turn", turns, false))).toEqual(["next-turn", "over"]);
});

test("it is known when a promise is due once it is in the log, or is over", () => {
  const undated = (when: Due, turns: number, logged: boolean): boolean =>
    areUndated(promised(when, turns, logged).table);
  expect([undated("next-turn", 0, false), undated("next-turn", 1, false)]).toEqual([true, false]);
  expect([undated("next-turn", 0, true), undated("some-time", 0, false)]).toEqual([false, false]);
});

test("a promise whose time is over counts no more, and says so to whoever can withdraw it", () => {
  const { table, word } = promised("this-turn", 1);
  expect(promisesDue(table, 0)).toEqual([]);
  expect(promiseText(word, table)).toContain("now overdue");
});

test("a promise of several beans is not kept by one of them", () => {
  const { table, word } = promised("some-time", 0);
  const two = { ...word, give: [3, 3] as const };
  const phase = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
  const talk = { wishes: [], promises: [two], next_promise: 2 };
  const gives = (...hand: readonly Bean[]): ShownEvent => ({
    event: "traded-shown",
    offer: 1,
    maker: 1,
    partner: 0,
    maker_hand: hand,
    maker_face_up: [],
    partner_hand: [],
    partner_face_up: [],
    own: [],
  });
  const seen = { active_player: 1, phase, talk } as Partial<View>;
  table.take(batch({ seq: 101, events: [gives(3)], view: seen }));
  expect(promisesToKeep(table)).toEqual([two]);
  table.take(batch({ seq: 102, events: [gives(3, 3)], view: seen }));
  expect(promisesToKeep(table)).toEqual([]);
});

test("where its maker says it, a promise is one in his own words", () => {
  const { table, word } = promised("some-time", 0);
  expect(promiseText(word, table)).toMatch(/^Bert promises you 1 /u);
  expect(promiseText(word, table, true)).toMatch(/^I promise you 1 /u);
});

/** Whether a promise of Bert to Anna of a blue bean is to be kept in a market, behind what was exchanged since. */
function toKeep(when: Due, active: number, traded: readonly ShownEvent[] = []): boolean {
  const { table, word } = promised(when, 0);
  const phase = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
  const talk = { wishes: [], promises: [word], next_promise: 2 };
  table.take(
    batch({ seq: 101, events: traded, view: { active_player: active, phase, talk } as Partial<View> }),
  );
  return promisesToKeep(table).includes(word);
}

test("a promise is to be kept in the market of one of the two, and no other", () => {
  expect([0, 1, 2].map((active) => toKeep("this-turn", active))).toEqual([true, true, false]);
  expect([toKeep("some-time", 1), toKeep("next-turn", 1)]).toEqual([true, false]);
});

test("a promise is kept once what it names was given, for whatever it was", () => {
  const traded = (bean: Bean): ShownEvent => ({
    event: "traded-shown",
    offer: 1,
    maker: 0,
    partner: 1,
    maker_hand: [9],
    maker_face_up: [],
    partner_hand: [],
    partner_face_up: [[5, bean]],
    own: [],
  });
  expect([toKeep("some-time", 1, [traded(3)]), toKeep("some-time", 1, [traded(4)])]).toEqual([false, true]);
});
