/** What the coach says when the learner goes another way: every branch of every step, as a view and its text. */
import { describe, expect, it } from "vitest";
import { Bean, type FieldWorth, type OfferView, type PhaseView } from "../../src/generated/protocol";
import { follow, stepsOf, type LargerTable, type StepContext } from "../../src/lesson/steps";
import { offer, OWN, view } from "../sample";

const { RED, CHILI, BLUE, GREEN, STINK, SOY } = Bean;
const steps = stepsOf("first-game");
const RULES = { ...view().rules, fields: 3, deck: [0, 6, 8, 10, 12, 14, 16, 18, 20, 0, 0] };

/** What the learner sees, as far as it is not usual. */
interface Moment {
  readonly turn?: number;
  readonly phase?: PhaseView;
  readonly hand?: readonly Bean[];
  readonly fields?: readonly (readonly Bean[])[];
  readonly aside?: readonly Bean[];
  readonly coins?: number;
  readonly worth?: readonly (FieldWorth | null)[];
  readonly refused?: readonly number[];
  readonly declined?: readonly number[];
  readonly wishes?: readonly Bean[];
  readonly raised?: readonly number[];
  readonly faceUp?: readonly number[];
  readonly want?: readonly Bean[];
  readonly larger?: LargerTable;
}

function context(moment: Moment): StepContext {
  const { turn = 1, phase = trade(), hand = LEFT, fields = [[RED, RED], [], []] } = moment;
  const player = {
    hand_size: 5,
    fields: [[], [], []],
    coins: 0,
    treasury: [],
    set_aside: [],
    bonus_hand: 0,
    bonus_claimed: [],
  };
  const me = { ...player, fields, coins: moment.coins ?? 0, set_aside: moment.aside ?? [] };
  const standing = phase.phase === "trade" ? phase.offers.filter((one) => one.maker === 0) : [];
  const seen = view({
    phase,
    turn,
    rules: RULES,
    players: [me, player, player],
    active_player: (turn - 1) % 3,
    own: {
      ...OWN,
      hand,
      refused: moment.refused ?? [],
      offers: standing.map((one) => ({ id: one.id, hand: [], declined: moment.declined ?? [] })),
    },
    talk: {
      wishes: [[], [STINK], moment.wishes ?? [BLUE]].map((want) => ({ want, spare: [] })),
      promises: [],
      next_promise: 1,
    },
  });
  return {
    view: seen,
    seat: 0,
    worth: [moment.worth ?? [null, null, null], [], []],
    hand: moment.raised ?? [],
    faceUp: moment.faceUp ?? [],
    want: moment.want ?? [],
    larger: moment.larger ?? null,
    nameOf: (seat) => ["Cleo", "Anna", "Bert"][seat] ?? "",
  };
}

const LEFT = [CHILI, BLUE, GREEN];
const DRAWN = [CHILI, BLUE, BLUE, STINK];
const PLANTING: PhaseView = { phase: "plant-traded" };
const trade = (...offers: readonly OfferView[]): PhaseView => ({
  phase: "trade",
  face_up: [STINK, RED],
  offers,
  passes: [],
});
const lies = (face_up: readonly Bean[], ...offers: readonly OfferView[]): PhaseView => ({
  phase: "trade",
  face_up,
  offers,
  passes: [],
});
const planting = (planted: number): PhaseView => ({ phase: "plant", planted });
const annas = offer({ maker: 1, to: [0], hand: [RED], want: [STINK] });
const annasRed = offer({ maker: 1, to: [0], hand: [], face_up: [[0, RED]], want: [STINK] });
const annasChili = offer({ maker: 1, to: [0], hand: [], face_up: [[1, CHILI]], want: [] });
const mine = (changes: Partial<OfferView>): OfferView =>
  offer({ id: 7, maker: 0, to: [1, 2], open: true, ...changes });
const blue = (changes: Partial<OfferView> = {}): OfferView => mine({ hand: [BLUE], want: [], ...changes });
const green = (changes: Partial<OfferView> = {}): OfferView =>
  mine({ hand: [GREEN], want: [CHILI], ...changes });
const worth = (bean: Bean, coins: number, discards: number, more = 0): FieldWorth => ({
  bean,
  coins,
  discards,
  more,
  next_coins: 0,
  steps: [],
});
const reds = (count: number): readonly Bean[] => Array.from({ length: count }, () => RED);
const FOUR = { players: 4, fields: 2, price: 3 };

type Branch = readonly [what: string, step: string, moment: Moment, text: string | null, params?: object];

const BRANCHES: readonly Branch[] = [
  // turn 1, planting
  ["the first red lies on field 2", "second", { phase: planting(1), fields: [[], [RED], []] }, "second"],
  [
    "the first red was harvested at once",
    "second",
    { phase: planting(1), fields: [[], [], []] },
    "second-any",
  ],
  ["both are planted", "second", { phase: planting(2) }, "number", { blue: 20, red: 8 }],
  ["the second was left in the hand", "number", { phase: planting(1), hand: [RED, ...LEFT] }, "number"],
  ["nothing more to plant", "reveal", { phase: planting(2) }, "reveal"],
  // turn 1, trading
  ["both lie open", "market", {}, "market"],
  ["the stink was given away at once", "market", { phase: lies([RED]) }, "gift"],
  ["Anna offers, red grows", "accept", { phase: trade(annas) }, "accept"],
  ["Anna offers, red was harvested", "accept", { phase: trade(annas), fields: [[], [], []] }, "offered"],
  ["Anna offers something else", "accept", { phase: trade({ ...annas, hand: [BLUE] }) }, "offered"],
  ["what Anna asks for was given away", "accept", { phase: lies([RED], annas) }, "gift"],
  [
    "Anna asks for two and one is left",
    "accept",
    { phase: trade({ ...annas, want: [STINK, STINK] }) },
    "gift",
  ],
  ["Bert offers", "accept", { phase: trade({ ...annas, maker: 2 }) }, "offered"],
  ["somebody gives", "accept", { phase: trade({ ...annas, want: [] }) }, "present-any"],
  ["declined before the coach could speak", "accept", { phase: trade(annas), refused: [annas.id] }, "gift"],
  ["took the red himself, by an offer of his own", "accept", { aside: [RED] }, "gift"],
  ["the blue is there", "gift", {}, "gift"],
  ["the blue went to Anna", "gift", { hand: [CHILI, GREEN] }, "offer"],
  ["Bert does not look for blue any more", "gift", { wishes: [] }, "offer"],
  ["the blue is raised", "gift", { raised: [1] }, "gift-send"],
  ["something is wanted for the blue", "gift", { raised: [1], want: [RED] }, "send-any"],
  ["more than the blue is raised", "gift", { raised: [1, 2] }, "send-any"],
  ["a face-up card goes with the blue", "gift", { raised: [1], faceUp: [0] }, "send-any"],
  ["the gift was sent", "gift", { phase: trade(blue()) }, "wait"],
  ["Bert would take it", "gift", { phase: trade(blue({ claimers: [2] })) }, "gift-pick"],
  ["only Anna would take it", "gift", { phase: trade(blue({ claimers: [1] })) }, "pick-any"],
  [
    "the blue is to bring something",
    "gift",
    { phase: trade(blue({ want: [RED], claimers: [2] })) },
    "pick-any",
  ],
  ["nobody wants it", "gift", { phase: trade(blue()), declined: [1, 2] }, "gift"],
  ["the chili is next", "offer", { hand: [CHILI, GREEN] }, "offer"],
  ["a red is next, for the second was kept", "offer", { hand: [RED, CHILI, GREEN] }, "offer-kept"],
  ["the chili is gone", "offer", { hand: [GREEN] }, "end"],
  ["the green is gone", "offer", { hand: [CHILI] }, "end"],
  ["has Bert’s chili already", "offer", { hand: [CHILI, GREEN], aside: [CHILI] }, "end"],
  ["the green is raised", "offer", { raised: [2] }, "offer-want"],
  ["and the chili wanted", "offer", { raised: [2], want: [CHILI] }, "offer-send"],
  ["and something else wanted too", "offer", { raised: [2], want: [CHILI, RED] }, "send-any"],
  ["Bert says yes", "offer", { phase: trade(green({ claimers: [2] })) }, "offer-pick"],
  ["Anna says yes", "offer", { phase: trade(green({ claimers: [1] })) }, "pick-any"],
  ["traded", "end", { aside: [RED] }, "end"],
  ["gave something", "end", { hand: [CHILI, GREEN] }, "end"],
  ["gave what lay open", "end", { phase: lies([RED]) }, "end"],
  ["traded nothing", "end", {}, "end-plain"],
  // turn 1, planting what was received
  ["red grows, chili not", "received", { phase: PLANTING, aside: [RED, CHILI, RED] }, "received"],
  [
    "the chili is planted",
    "received",
    { phase: PLANTING, aside: [RED], fields: [[RED, RED], [CHILI], []] },
    "received-same",
  ],
  [
    "chili grows too",
    "received",
    { phase: PLANTING, aside: [RED, CHILI], fields: [[RED], [CHILI], []] },
    "again",
  ],
  [
    "red grows nowhere",
    "received",
    { phase: PLANTING, aside: [RED, CHILI], fields: [[], [], []] },
    "received-any",
  ],
  [
    "no field is free for the chili",
    "received",
    { phase: PLANTING, aside: [RED, CHILI], fields: [[RED], [BLUE], [GREEN]] },
    "received-any",
  ],
  ["kept the stink", "received", { phase: PLANTING, aside: [STINK, RED] }, "received-any"],
  [
    "nothing fits",
    "received",
    { phase: PLANTING, aside: [STINK], fields: [[RED], [BLUE], [GREEN]] },
    "no-room",
  ],
  [
    "each red lies on a field of its own",
    "received",
    { phase: PLANTING, aside: [RED], fields: [[RED], [RED], []] },
    "received-same",
  ],
  // turn 2
  ["three new cards", "drawn", { turn: 2, hand: DRAWN }, "drawn"],
  ["one of them was given away", "drawn", { turn: 2, hand: [CHILI, BLUE, BLUE] }, null],
  ["the chili is alone", "single", { turn: 2, fields: [reds(4), [CHILI], []] }, "single"],
  ["nothing but single beans", "single", { turn: 2, fields: [[RED], [CHILI], []] }, null],
  ["nothing is alone", "single", { turn: 2, fields: [reds(4), [], []] }, null],
  [
    "four reds grow",
    "theirs",
    { turn: 2, phase: lies([RED, CHILI], annasRed), hand: DRAWN, fields: [reds(4), [], []] },
    "theirs",
    { count: 5 },
  ],
  [
    "two reds grow",
    "theirs",
    { turn: 2, phase: lies([RED, CHILI], annasRed), hand: DRAWN },
    "theirs",
    { count: 3 },
  ],
  [
    "the reds lie on two fields",
    "theirs",
    { turn: 2, phase: lies([RED, CHILI], annasRed), hand: DRAWN, fields: [[RED, RED], [RED], []] },
    "theirs",
    { count: 3 },
  ],
  [
    "no red grows",
    "theirs",
    { turn: 2, phase: lies([RED, CHILI], annasRed), hand: DRAWN, fields: [[], [], []] },
    "offered",
  ],
  [
    "she offers a red of her hand",
    "theirs",
    { turn: 2, phase: lies([CHILI, BLUE], annas), hand: DRAWN },
    "offered",
  ],
  [
    "the red never comes",
    "theirs",
    { turn: 2, phase: lies([CHILI], annasChili), fields: [reds(4), [CHILI], []] },
    "present",
  ],
  [
    "chili grows",
    "present",
    { turn: 2, phase: lies([CHILI], annasChili), fields: [reds(4), [CHILI], []] },
    "present",
  ],
  ["chili grows nowhere", "present", { turn: 2, phase: lies([CHILI], annasChili) }, "present-any"],
  [
    "another gift",
    "present",
    { turn: 2, phase: lies([SOY], { ...annasChili, face_up: [[0, SOY]] }) },
    "present-any",
  ],
  [
    "both grow",
    "again",
    { turn: 2, phase: PLANTING, aside: [RED, CHILI], fields: [reds(4), [CHILI], []] },
    "again",
  ],
  [
    "took only the red",
    "again",
    { turn: 2, phase: PLANTING, aside: [RED], fields: [reds(4), [CHILI], []] },
    "received-same",
  ],
  [
    "took only the chili, which begins a field",
    "again",
    { turn: 2, phase: PLANTING, aside: [CHILI] },
    "received-any",
  ],
  // turns 3 and 4
  [
    "five reds are ripe",
    "harvest",
    { turn: 3, fields: [reds(5), [CHILI, CHILI], []], worth: [worth(RED, 4, 1), null, null] },
    "harvest",
    { count: 5, coins: 4 },
  ],
  [
    "six reds are ripe",
    "harvest",
    { turn: 3, fields: [reds(6), [], []], worth: [worth(RED, 4, 2), null, null] },
    "harvest",
    { count: 6, coins: 4 },
  ],
  [
    "something else is ripe",
    "harvest",
    { turn: 3, fields: [[SOY], [], []], worth: [worth(SOY, 4, 3), null, null] },
    "harvest-any",
    { count: 1, coins: 4 },
  ],
  [
    "nothing is ripe, and a field earns",
    "harvest",
    { turn: 3, worth: [worth(CHILI, 1, 2, 3), worth(RED, 3, 1, 1), null] },
    "harvest-earns",
    { count: 0, coins: 3 },
  ],
  ["nothing earns", "harvest", { turn: 3, worth: [worth(CHILI, 0, 2, 1), null, null] }, "grow"],
  ["it is not turn 3 yet", "harvest", { turn: 2, worth: [worth(RED, 4, 1), null, null] }, null],
  [
    "still ripe in turn 4",
    "harvest",
    { turn: 4, fields: [reds(5), [], []], worth: [worth(RED, 4, 1), null, null] },
    "harvest",
  ],
  ["nothing earns in turn 4", "harvest", { turn: 4 }, "grow"],
  ["harvested four", "coins", { turn: 3, coins: 4 }, "coins", { count: 4 }],
  ["harvested early", "harvest", { turn: 2, coins: 1 }, "coins", { count: 1 }],
  ["harvested for nothing", "harvest", { turn: 4, coins: 0 }, "grow"],
  ["the price is known", "fields", { turn: 4, larger: FOUR }, "fields-price", { here: 3, ...FOUR }],
  ["a larger table has as many fields", "fields", { turn: 4, larger: { ...FOUR, fields: 3 } }, "fields"],
  ["it is not turn 3 yet", "fields", { turn: 2 }, null],
  ["his turn again", "goodbye", { turn: 4 }, "goodbye"],
  ["somebody else’s turn already", "goodbye", { turn: 5 }, "goodbye-plain"],
];

describe("the coach", () => {
  for (const [what, name, moment, text, params] of BRANCHES)
    it(`says what is so: ${what} (${name})`, () => {
      const at = steps.findIndex((step) => step.name === name);
      const { say } = follow(steps, { at, said: false }, context(moment));
      expect(say?.text ?? null).toBe(text === null ? null : `lesson.${text}`);
      if (params !== undefined) expect(say?.params).toEqual(params);
    });

  it("tells every branch there is", () => {
    const reached = new Set(BRANCHES.map(([, step]) => step));
    expect(steps.map((step) => step.name).filter((name) => !reached.has(name))).toEqual(["hand", "plant"]);
  });

  it("passes from what it says while it waits to the step behind that", () => {
    const at = steps.findIndex((step) => step.name === "accept");
    const found = follow(steps, { at, said: false }, context({}));
    expect([found.progress.at, found.step?.name, found.at]).toEqual([at, "gift", at + 1]);
  });

  it("points at the field on which the red bean lies", () => {
    const at = steps.findIndex((step) => step.name === "second");
    const { say } = follow(
      steps,
      { at, said: false },
      context({ phase: planting(1), fields: [[], [RED], []] }),
    );
    expect(say?.at).toEqual(['[data-field="1"]']);
  });
});
