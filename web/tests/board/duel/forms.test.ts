import { beforeAll, expect, test } from "vitest";
import {
  blanks,
  bonusCards,
  breadth,
  pennies,
  runs,
  runsText,
  written,
} from "../../../src/board/duel/patterns";
import { giftKinds, mayName, nameGift, openGift } from "../../../src/board/duel/gifts";
import { choose, namedNext, sendNaming, waysToName } from "../../../src/board/duel/naming";
import { prompt } from "../../../src/board/bar/prompt";
import { bonusPrompt, giftPrompt } from "../../../src/board/duel/prompts";
import { commandOf, stepHint, stepNow, stepText } from "../../../src/board/duel/steps";
import { sweptMarks } from "../../../src/board/duel/swept";
import { verdictOf } from "../../../src/board/duel/verdict";
import type {
  AnyCommand,
  Bean,
  GiftView,
  GiftWays,
  Rules,
  ShownEvent,
  Step,
  View,
} from "../../../src/generated/protocol";
import type { LiveTable } from "../../../src/lib/live.svelte";
import type { Targets } from "../../../src/board/targets.svelte";
import { needs } from "../../../src/table/needs";
import { activityOf } from "../../../src/table/status";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { PageState } from "../../../src/table/state.svelte";
import { TableModel } from "../../../src/lib/model.svelte";
import { OWN, view, welcome } from "../../sample";
import { kindsInPlay } from "../../../src/table/texts";

beforeAll(() => loadLanguage("en"));

const [GARDEN, RED, SOY, BLUE] = [1, 2, 4, 8] as const;

const GIFT: GiftView = {
  phase: "gift",
  face_up: [SOY, RED, SOY],
  named: [
    [1, BLUE],
    [0, RED],
    [1, SOY],
  ],
  word: 0,
  open: true,
};

/** What the server says of the kinds one could give: a red one lies face up, and two are in the hand. */
const GIFTS: readonly GiftWays[] = [
  {
    bean: RED,
    ways: [
      { source: "face-up", place: 1, hand: [] },
      { source: "hand", place: 0, hand: [[0, RED]] },
      { source: "hand", place: 2, hand: [[2, RED]] },
    ],
  },
];

function rules(changes: Partial<Rules> = {}): Rules {
  const bonus_cards = [
    { runs: [2, 2], pennies: 10 },
    { runs: [2, 1, 1], pennies: 40 },
  ];
  return {
    ...view().rules,
    game: "das-duell",
    players: 2,
    deck: [0, 6, 8, 10, 12, 14, 16, 18, 20, 0, 0],
    bonus_cards,
    bonus_hand: 3,
    reveal: 3,
    ...changes,
  };
}

/** A game for two as seat 0 sees it, whose hand is red, blue, red, wax, coffee. */
function duel(changes: Partial<View> = {}): View {
  const { players } = view();
  return view({
    rules: rules(),
    players: players.slice(0, 2),
    phase: GIFT,
    active_player: 0,
    own: { ...OWN, bonus: [0, 1], claimable: [1] },
    ...changes,
  });
}

function table(game: View, legal: readonly AnyCommand[] = []): TableModel {
  const made = new TableModel();
  const { choices } = welcome();
  made.welcome(welcome({ game, choices: choices === null ? null : { ...choices, legal, gifts: GIFTS } }));
  return made;
}

const log = (...events: readonly ShownEvent[]) => events.map((event) => ({ seq: 1, event }));
const name = (bean: Bean): AnyCommand => ({ do: "name-gift", player: 0, bean, hand: [], hand_revision: 0 });

// -- gifts ------------------------------------------------------------------------------------------------------

test("each kind tells who has named it", () => {
  const known = giftKinds(table(duel()), [GARDEN, RED, BLUE]);
  expect(known.map(({ namedBy }) => namedBy)).toEqual([null, 0, 1]);
});

test("each kind tells how one could give it; without a way it is a bluff", () => {
  const known = giftKinds(table(duel()), [GARDEN, RED]);
  expect(known.map(({ ways }) => ways.map(({ place }) => place))).toEqual([[], [1, 0, 2]]);
});

test("the kinds in play are those of which there are cards", () => {
  expect(kindsInPlay(duel())).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("naming carries the chosen copy and the revision of the hand", () => {
  const game = duel();
  expect(nameGift(game, 0, RED, GIFTS[0]?.ways[2])).toEqual({
    do: "name-gift",
    player: 0,
    bean: RED,
    hand: [[2, RED]],
    hand_revision: 4,
  });
  expect(nameGift(game, 0, GARDEN).hand).toEqual([]);
});

test("a spectator names nothing", async () => {
  const page = new PageState();
  choose(page, table(duel(), [name(GARDEN)]), GARDEN);
  let acts = 0;
  const watched = Object.assign(table(duel(), [name(GARDEN)]), {
    act: () => Promise.resolve((acts += 1) > 0),
  });
  watched.seat = null;
  await sendNaming(page, watched as unknown as LiveTable);
  expect(acts).toBe(0);
  watched.seat = 0;
  await sendNaming(page, watched as unknown as LiveTable);
  expect(acts).toBe(1);
});

test("what was named last is an open gift only while it waits for an answer", () => {
  expect(openGift(GIFT)).toEqual({ giver: 1, bean: SOY });
  expect(openGift({ ...GIFT, open: false })).toBeNull();
});

test("a kind may be named if the server says so", () => {
  expect(mayName([name(GARDEN)], GARDEN)).toBe(true);
  expect(mayName([name(GARDEN)], RED)).toBe(false);
});

test("choosing a kind twice chooses none, and one that may not be named is not chosen", () => {
  const page = new PageState();
  const game = table(duel(), [name(GARDEN), name(RED)]);
  choose(page, game, BLUE);
  expect(namedNext(page, game)).toBeNull();
  choose(page, game, RED);
  expect([namedNext(page, game), waysToName(page, game).length]).toEqual([RED, 3]);
  choose(page, game, RED);
  expect(namedNext(page, game)).toBeNull();
});

test("a kind that was chosen is forgotten while it may not be named", () => {
  const page = new PageState();
  choose(page, table(duel(), [name(RED)]), RED);
  expect(namedNext(page, table(duel(), [name(GARDEN)]))).toBeNull();
});

test("a kind that was chosen is meant for that naming only: none is chosen beforehand at the next", () => {
  const page = new PageState();
  const legal = [name(RED)];
  choose(page, table(duel(), legal), RED);
  const later = duel({ phase: { ...GIFT, named: [...GIFT.named, [0, BLUE], [1, GARDEN]] } });
  expect(namedNext(page, table(later, legal))).toBeNull();
  expect(namedNext(page, table(duel({ turn: duel().turn + 1 }), legal))).toBeNull();
  expect(namedNext(page, table(duel(), legal))).toBe(RED);
});

// -- what is said -------------------------------------------------------------------------------------------------

test("the haggling is told from where one sits", () => {
  expect(giftPrompt(table(duel()))).toMatch(/^Bert would give you a soy bean/);
  expect(giftPrompt(table(duel({ phase: { ...GIFT, named: [], open: false } })))).toMatch(/name a kind/);
  expect(giftPrompt(table(duel({ phase: { ...GIFT, open: false } })))).toBe("Name another kind.");
  expect(giftPrompt(table(duel({ phase: { ...GIFT, named: [[0, RED]], word: 1 } })))).toBe(
    "Bert is thinking about your red bean.",
  );
  expect(giftPrompt(table(duel({ phase: { ...GIFT, word: 1 } })))).toBe(
    "Bert is thinking about Bert’s soy bean.",
  );
  expect(giftPrompt(table(duel({ phase: { ...GIFT, named: [], open: false, word: 1 } })))).toBe(
    "Bert is choosing a gift.",
  );
  expect(giftPrompt(table(view()))).toBe("");
});

test("the bonus cards are told by what one may do with them", () => {
  const game = duel({ phase: { phase: "bonus", discarding: [0, 1], refilling: [0, 1] }, waiting: [0, 1] });
  expect(bonusPrompt(table(game, [{ do: "discard-bonus", player: 0, bonus: 1 }]))).toMatch(/^Discard one/);
  expect(bonusPrompt(table(game, [{ do: "refill-bonus", player: 0 }]))).toMatch(/up to 3/);
  expect(bonusPrompt(table(game))).toBe("Bert decides about bonus cards.");
  expect(bonusPrompt(table(duel()))).toBe("");
});

test("whoever discards second at once is asked as well, and not told to wait", () => {
  const game = duel({
    active_player: 1,
    phase: { phase: "bonus", discarding: [1, 0], refilling: [1, 0] },
    waiting: [1, 0],
  });
  const second = table(game, [{ do: "discard-bonus", player: 0, bonus: 1 }]);
  const nothing = { held: null, undoable: false, sources: [] } as unknown as Targets;
  const { text, mine } = prompt(second, nothing);
  expect([mine, text]).toEqual([true, expect.stringMatching(/^Discard one/)]);
  expect([activityOf(second, 0)?.busy, activityOf(second, 1)?.busy]).toEqual([true, true]);
  expect(needs(second).turn).toBe(true);
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
const PAID: ShownEvent = {
  event: "bluff-paid",
  giver: 1,
  player: 0,
  coin: "treasury",
  bonus: [],
  from_hand: false,
  discarded: false,
};
const CLOSED: ShownEvent = { event: "haggling-closed", player: 0 };

test("a caught bluff tells what it cost", () => {
  expect(verdictOf(log(CAUGHT, PAID, CLOSED))).toEqual({
    is: "caught",
    giver: 1,
    taker: 0,
    bean: BLUE,
    price: "coin",
  });
  expect(verdictOf(log(CAUGHT, { ...PAID, coin: "", bonus: [1] }))).toMatchObject({ price: "bonus" });
  expect(verdictOf(log(CAUGHT, { event: "bluff-paid-shown", giver: 1, player: 0 }))).toMatchObject({
    price: "bonus",
  });
  expect(verdictOf(log(CAUGHT, { ...PAID, coin: "" }))).toMatchObject({ price: "nothing" });
});

/** Happenings of one batch each. */
const batches = (...all: readonly (readonly ShownEvent[])[]) =>
  all.flatMap((events, seq) => events.map((event) => ({ seq, event })));

test("a gift that was delivered is told until the next thing happens", () => {
  const taken: ShownEvent = { event: "gift-taken-shown", player: 0, giver: 1, bean: BLUE, source: "hand" };
  const planted: ShownEvent = { event: "face-up-planted", player: 1, field: 1, place: 0, bean: RED };
  expect(verdictOf(batches([taken, CLOSED]))).toEqual({ is: "given", giver: 1, taker: 0, bean: BLUE });
  expect(verdictOf(batches([taken, CLOSED], [planted]))).toBeNull();
});

test("a caught bluff is told until the next thing happens, and not through the bonus cards", () => {
  expect(verdictOf(batches([CAUGHT, PAID, CLOSED]))).toMatchObject({ is: "caught", price: "coin" });
  expect(
    verdictOf(
      batches([CAUGHT, PAID, CLOSED], [{ event: "bonus-began", discarding: [0, 1], refilling: [1, 0] }]),
    ),
  ).toBeNull();
  expect(verdictOf(batches([CAUGHT, PAID], [{ event: "gift-shown", player: 1, bean: RED }]))).toBeNull();
});

// -- patterns ---------------------------------------------------------------------------------------------------

test("the beans of a pattern stand from the left, with a gap between the runs", () => {
  expect(blanks([2, 1]).map(({ run, x }) => [run, x])).toEqual([
    [0, 0],
    [0, 1],
    [1, 2 + 1 / 3],
  ]);
  expect(breadth([2, 1])).toBeCloseTo(3 + 1 / 3);
  expect(breadth([])).toBe(0);
});

test("runs are counted on a mixed field only", () => {
  expect(runsText([RED, RED, SOY, RED])).toBe("2-1-1");
  expect(runsText([RED, RED])).toBe("");
  expect(runsText([])).toBe("");
});

test("a field is written by its runs, the oldest first", () => {
  expect(runs([SOY, SOY, RED, SOY])).toEqual([
    [SOY, 2],
    [RED, 1],
    [SOY, 1],
  ]);
  expect([runsText([SOY, SOY, RED]), runsText([SOY, SOY])]).toEqual(["2-1", ""]);
});

test("bonus cards are found by their numbers", () => {
  const cards = bonusCards(duel(), [1, 0, 99]);
  expect(cards.map(({ id }) => id)).toEqual([1, 0]);
  expect(cards.map(written)).toEqual(["2-1-1", "2-2"]);
  expect(pennies(cards)).toBe(50);
});

// -- the steps of a turn --------------------------------------------------------------------------------------------

const STEPS: readonly Step[] = [
  { name: "plant", phase: "plant", command: "plant", clause: "PLANT-1" },
  { name: "turn-over", phase: "plant", command: "reveal", clause: "DD-5" },
  { name: "gift", phase: "gift", command: "take-gift", clause: "DD-6" },
];

test("it is the first step of the phase", () => {
  expect(stepNow(duel({ steps: STEPS }))).toBe(2);
  expect(stepNow(duel({ steps: STEPS, phase: { phase: "plant", planted: 0 } }))).toBe(0);
  expect(stepNow(duel())).toBe(-1);
});

test("each step has a name and says what happens; of a newer server it has the name only", () => {
  const [plant, ...others] = STEPS;
  if (plant === undefined || others.length === 0) throw new Error("no steps");
  expect([stepText(plant), stepHint(plant)]).toEqual([
    "Plant",
    "Plant the front card of the hand, and the next one if you like.",
  ]);
  const newer = { ...plant, name: "dance" } as unknown as Step;
  expect([stepText(newer), stepHint(newer)]).toEqual(["dance", ""]);
});

test("each step has a command to ask about", () => {
  const commandFor = (command: string, changes: Partial<View> = {}): AnyCommand =>
    commandOf({ name: "plant", phase: "plant", command, clause: "" }, duel(changes), 0);
  expect(commandFor("reveal")).toEqual({ do: "reveal", player: 0 });
  expect(commandFor("plant")).toEqual({ do: "plant", player: 0, field: 0 });
  expect(commandFor("plant-set-aside")).toEqual({ do: "plant-set-aside", player: 0, place: 0, field: 0 });
  expect(commandFor("discard-leftover")).toEqual({ do: "discard-leftover", player: 0, place: 0 });
  expect(commandFor("discard-from-hand")).toMatchObject({ copy: [0, RED], hand_revision: 4 });
});
