import { beforeAll, expect, test } from "vitest";
import { blanks, bonusCards, breadth, pennies, runsText, written } from "../../src/duel/patterns";
import { kindsInPlay, kindsOf, mayName, naming, offered, waysToGive } from "../../src/duel/gifts";
import { namingAt } from "../../src/duel/naming.svelte";
import { bonusSaying, saying } from "../../src/duel/saying";
import { deedOf, stepNow, stepsOf } from "../../src/duel/steps";
import { sweptMarks } from "../../src/duel/swept";
import { verdictOf } from "../../src/duel/verdict";
import type { AnyCommand, Bean, GiftView, Rules, ShownEvent, View } from "../../src/generated/protocol";
import { speak } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { OWN, view, welcome } from "../sample";

beforeAll(() => speak("en"));

const [GARDEN, RED, SOY, BLUE] = [1, 2, 4, 8] as const;

const GIFT: GiftView = { phase: "gift", face_up: [SOY, RED, SOY], named: [[1, BLUE], [0, RED], [1, SOY]], word: 0, open: true };

function rules(changes: Partial<Rules> = {}): Rules {
  const bonus_cards = [{ runs: [2, 2], pennies: 10 }, { runs: [2, 1, 1], pennies: 40 }];
  return { ...view().rules, game: "das-duell", players: 2, deck: [0, 6, 8, 10, 12, 14, 16, 18, 20, 0, 0], bonus_cards, bonus_hand: 3, reveal: 3, ...changes };
}

/** A game for two as seat 0 sees it, whose hand is red, blue, red, wax, coffee. */
function duel(changes: Partial<View> = {}): View {
  const { players } = view();
  return view({ rules: rules(), players: players.slice(0, 2), phase: GIFT, active_player: 0, own: { ...OWN, bonus: [0, 1], claimable: [1] }, ...changes });
}

function table(game: View, legal: readonly AnyCommand[] = []): TableModel {
  const made = new TableModel();
  const { choices } = welcome();
  made.welcome(welcome({ game, choices: choices === null ? null : { ...choices, legal } }));
  return made;
}

const log = (...events: readonly ShownEvent[]) => events.map((event) => ({ event }));
const name = (bean: Bean): AnyCommand => ({ do: "name-gift", player: 0, bean, hand: [], hand_revision: 0 });

// -- gifts ------------------------------------------------------------------------------------------------------

test("a kind is given from the face-up cards first, then from each place of the hand", () => {
  const ways = waysToGive(duel(), RED);
  expect(ways.map(({ from, place }) => [from, place])).toEqual([["face-up", 1], ["hand", 0], ["hand", 2]]);
  expect(ways.map(({ hand }) => hand)).toEqual([[], [[0, RED]], [[2, RED]]]);
});

test("alike face-up cards are one way", () => {
  expect(waysToGive(duel(), SOY).map(({ place }) => place)).toEqual([0]);
});

test("what lies face up is not given by the other player", () => {
  expect(waysToGive(duel({ active_player: 1 }), SOY)).toEqual([]);
  expect(waysToGive(duel({ active_player: 1 }), RED).map(({ from }) => from)).toEqual(["hand", "hand"]);
});

test("a kind one has nowhere has no way: naming it is a bluff", () => {
  expect(waysToGive(duel(), GARDEN)).toEqual([]);
});

test("each kind tells who has named it", () => {
  const known = kindsOf(duel(), [GARDEN, RED, BLUE]);
  expect(known.map(({ namedBy }) => namedBy)).toEqual([null, 0, 1]);
});

test("the kinds in play are those of which there are cards", () => {
  expect(kindsInPlay(duel())).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("naming carries the chosen copy and the revision of the hand", () => {
  const game = duel();
  expect(naming(game, RED, waysToGive(game, RED)[2])).toEqual({ do: "name-gift", player: 0, bean: RED, hand: [[2, RED]], hand_revision: 4 });
  expect(naming(game, GARDEN, undefined).hand).toEqual([]);
});

test("what was named last is offered only while it waits for an answer", () => {
  expect(offered(GIFT)).toEqual({ giver: 1, bean: SOY });
  expect(offered({ ...GIFT, open: false })).toBeNull();
});

test("a kind may be named if the server says so", () => {
  expect(mayName([name(GARDEN)], GARDEN)).toBe(true);
  expect(mayName([name(GARDEN)], RED)).toBe(false);
});

test("choosing a kind twice chooses none, and one that may not be named is not chosen", () => {
  const chosen = namingAt(table(duel(), [name(GARDEN), name(RED)]));
  chosen.choose(BLUE);
  expect(chosen.bean).toBeNull();
  chosen.choose(RED);
  expect([chosen.bean, chosen.ways.length]).toEqual([RED, 3]);
  chosen.choose(RED);
  expect(chosen.bean).toBeNull();
});

test("there is one naming for each table", () => {
  const [one, other] = [table(duel()), table(duel())];
  expect(namingAt(one)).toBe(namingAt(one));
  expect(namingAt(one)).not.toBe(namingAt(other));
});

// -- what is said -------------------------------------------------------------------------------------------------

test("the haggling is told from where one sits", () => {
  expect(saying(table(duel()))).toMatch(/^Bert would give soy/);
  expect(saying(table(duel({ phase: { ...GIFT, named: [], open: false } })))).toMatch(/name a kind/);
  expect(saying(table(duel({ phase: { ...GIFT, open: false } })))).toBe("Name another kind.");
  expect(saying(table(duel({ phase: { ...GIFT, named: [[0, RED]], word: 1 } })))).toBe("Bert thinks about your red.");
  expect(saying(table(duel({ phase: { ...GIFT, word: 1 } })))).toBe("Bert thinks about the soy of Bert.");
  expect(saying(table(duel({ phase: { ...GIFT, named: [], open: false, word: 1 } })))).toBe("Bert chooses a gift.");
  expect(saying(table(view()))).toBe("");
});

test("the bonus cards are told by what one may do with them", () => {
  const game = duel({ phase: { phase: "bonus", discarding: [0, 1], refilling: [0, 1] } });
  expect(bonusSaying(table(game, [{ do: "discard-bonus", player: 0, bonus: 1 }]))).toMatch(/^Discard one/);
  expect(bonusSaying(table(game, [{ do: "refill-bonus", player: 0 }]))).toMatch(/up to 3/);
  expect(bonusSaying(table(game))).toBe("Bert decides about bonus cards.");
  expect(bonusSaying(table(duel()))).toBe("");
});

// -- the sweep ----------------------------------------------------------------------------------------------------

const TURNED: ShownEvent = { event: "turned-over", player: 0, beans: [SOY, RED, SOY] };
const SWEPT: ShownEvent = { event: "swept", player: 0, beans: [RED, RED] };

test("swept cards lie behind those that were turned over", () => {
  expect(sweptMarks(log(TURNED, SWEPT))).toEqual([false, false, false, true, true]);
});

test("marks move up when a card is planted", () => {
  const planted: ShownEvent = { event: "face-up-planted", player: 0, place: 1, field: 0, bean: RED };
  expect(sweptMarks(log(TURNED, SWEPT, planted))).toEqual([false, false, true, true]);
});

test("marks of an earlier turn are gone", () => {
  expect(sweptMarks(log(TURNED, SWEPT, { event: "rest-left", player: 0, beans: [RED] }))).toEqual([]);
  expect(sweptMarks(log(TURNED, SWEPT, TURNED))).toEqual([false, false, false]);
  expect(sweptMarks([])).toEqual([]);
});

// -- how it came out ----------------------------------------------------------------------------------------------

const CAUGHT: ShownEvent = { event: "bluff-caught", player: 0, giver: 1, bean: BLUE };
const PAID: ShownEvent = { event: "bluff-paid", giver: 1, player: 0, coin: "treasury", bonus: [], from_hand: false, discarded: false };
const CLOSED: ShownEvent = { event: "haggling-closed", player: 0 };

test("a caught bluff tells what it cost", () => {
  expect(verdictOf(log(CAUGHT, PAID, CLOSED))).toEqual({ is: "caught", giver: 1, taker: 0, bean: BLUE, price: "coin" });
  expect(verdictOf(log(CAUGHT, { ...PAID, coin: "", bonus: [1] }))).toMatchObject({ price: "bonus" });
  expect(verdictOf(log(CAUGHT, { event: "bluff-paid-shown", giver: 1, player: 0 }))).toMatchObject({ price: "bonus" });
  expect(verdictOf(log(CAUGHT, { ...PAID, coin: "" }))).toMatchObject({ price: "nothing" });
});

test("a gift that was delivered is told until the turn is over", () => {
  const taken: ShownEvent = { event: "gift-taken-shown", player: 0, giver: 1, bean: BLUE, source: "hand" };
  const planted: ShownEvent = { event: "gift-planted", player: 0, field: 1, bean: BLUE };
  expect(verdictOf(log(taken, CLOSED, planted))).toEqual({ is: "given", giver: 1, taker: 0, bean: BLUE });
  expect(verdictOf(log(taken, CLOSED, { event: "turn-began", player: 1, leftovers: [] }))).toBeNull();
});

test("where the house goes on after a bluff, the next word makes it old", () => {
  expect(verdictOf(log(CAUGHT, PAID, { event: "gift-shown", player: 1, bean: RED }))).toBeNull();
});

// -- patterns ---------------------------------------------------------------------------------------------------

test("the beans of a pattern stand from the left, with a gap between the runs", () => {
  expect(blanks([2, 1]).map(({ run, x }) => [run, x])).toEqual([[0, 0], [0, 1], [1, 2 + 1 / 3]]);
  expect(breadth([2, 1])).toBeCloseTo(3 + 1 / 3);
  expect(breadth([])).toBe(0);
});

test("runs are counted on a mixed field only", () => {
  expect(runsText([RED, RED, SOY, RED])).toBe("2-1-1");
  expect(runsText([RED, RED])).toBe("");
  expect(runsText([])).toBe("");
});

test("bonus cards are found by their numbers", () => {
  const cards = bonusCards(duel(), [1, 0, 99]);
  expect(cards.map(({ id }) => id)).toEqual([1, 0]);
  expect(cards.map(written)).toEqual(["2-1-1", "2-2"]);
  expect(pennies(cards)).toBe(50);
});

// -- the steps of a turn --------------------------------------------------------------------------------------------

const phases = (game: View): string[] => stepsOf(game).map(({ name }) => name);

test("each game for two has its own steps", () => {
  expect(phases(duel())).toEqual(["plant", "turn-over", "gift", "plant-gift", "bonus"]);
  expect(phases(duel({ rules: rules({ trading: "also" }) }))).toEqual(["plant", "turn-over", "trade", "gift", "plant-gift", "bonus"]);
  expect(phases(duel({ rules: rules({ game: "bean-duel" }) }))).toEqual(["leftovers", "plant", "turn-over", "lies"]);
});

test("the step of the phase is found", () => {
  const game = duel();
  expect(stepNow(game, stepsOf(game))).toBe(2);
  expect(stepNow(game, [])).toBe(-1);
});

test("each step has a deed to ask about", () => {
  const bean = duel({ rules: rules({ game: "bean-duel" }) });
  const deeds = (game: View): string[] => stepsOf(game).map((step) => deedOf(step, game, 0).do);
  expect(deeds(bean)).toEqual(["discard-leftover", "discard-from-hand", "reveal", "leave-rest"]);
  expect(deeds(duel({ rules: rules({ trading: "also" }) }))).toEqual(["plant", "reveal", "end-trading", "take-gift", "plant-gift", "pass"]);
  expect(deeds(duel({ rules: rules({ game: "bean-duel" }), own: { ...OWN, hand: [] } }))[1]).toBe("plant");
});
