import type {
  AnyCommand,
  Batch,
  Choices,
  OfferView,
  OwnHand,
  PlayerView,
  Rules,
  View,
  Welcome,
} from "../src/generated/protocol";

/* eslint-disable no-restricted-syntax -- what the server sends holds the rules of the table; the page only
   hands them on */
export const RULES = {
  edition: "full",
  players: 3,
  game: "main",
  deck: [],
  boxed: [],
  beanometers: [],
  deal: [],
  fields: 2,
  max_fields: 3,
  field_price: 3,
  reveal: 2,
  draw: 3,
  exhaustions: 3,
  house_rules: [],
  starting_coins: 0,
  offers_a_maker: 6,
  promises_a_player: 4,
  starter: "any",
  reshuffle: "eager",
  singles: "all_single",
  same_kind: "may_split",
  harvest: "any_time",
  closing: "active",
  payment: "topmost",
  coins_to: "discard",
  end: "after_planting",
  tie: "shared",
  match: "whole_field",
  rest: "must_plant",
  bluff: "ends",
  trading: "no",
  bonus_cards: [],
  bonus_hand: 0,
} as unknown as Rules;
/* eslint-enable no-restricted-syntax */

export const PLAYER: PlayerView = {
  hand_size: 5,
  fields: [[], []],
  coins: 0,
  treasury: [],
  set_aside: [],
  bonus_hand: 0,
  bonus_claimed: [],
};

export const OWN: OwnHand = {
  hand: [2, 8, 2, 9, 10],
  hand_revision: 4,
  offers: [],
  claims: [],
  refused: [],
  bonus: [],
  claimable: [],
  gifts: [],
};

/** Return an offer of seat 1 to seats 0 and 2: a blue bean for a red one. */
export function offer(changes: Partial<OfferView> = {}): OfferView {
  return {
    id: 1,
    revision: 1,
    maker: 1,
    to: [0, 2],
    hand: [8],
    face_up: [],
    want: [2],
    open: false,
    claimers: [],
    ...changes,
  };
}

/** Return a trading of three players as seat 0 sees it; seat 1 is active unless told otherwise. */
export function view(changes: Partial<View> = {}): View {
  return {
    rules: RULES,
    viewer: 0,
    own: OWN,
    players: [PLAYER, PLAYER, PLAYER],
    active_player: 1,
    phase: { phase: "trade", face_up: [4, 1], offers: [], passes: [] },
    draw_pile: 60,
    discard_pile: 2,
    discard_top: [9],
    exhaustions: 0,
    turn: 3,
    starter: 0,
    talk: { wishes: [], promises: [], next_promise: 1 },
    box: [],
    bonus_piles: [0, 0],
    steps: [],
    waiting: [changes.active_player ?? 1],
    totals: [],
    ...changes,
  };
}

/** Return the first frame of a stream. */
export function welcome(changes: Partial<Welcome> = {}): Welcome {
  return {
    type: "welcome",
    protocol: 1,
    table: "t",
    seq: 10,
    now: 0,
    user: "u0",
    seat: 0,
    people: { u0: { name: "Ada", bot: false, handle: "" } },
    fresh: true,
    game: view(),
    clocks: [],
    present: [0],
    watching: 0,
    composing: [],
    enough: [],
    spectators: [],
    worth: [
      [null, null],
      [null, null],
      [null, null],
    ],
    choices: {
      legal: [],
      previews: [],
      gifts: [],
      discards: [],
      offers: {
        partners: [1],
        hand: [],
        face_up: [],
        kinds: [],
        hand_revision: 4,
        slots: 6,
        may_be_open: false,
      },
    },
    room: {
      id: "t",
      host: "u0",
      commitment: "",
      opened: 0,
      status: "playing",
      paused: false,
      quiet_since: 0,
      called: [],
      done: [],
      last_call: null,
      reveal: null,
      rematch: null,
      paused_at: 0,
      origin: null,
      lesson: null,
      word: "",
      ended_by: "",
      seats: ["u0", null, null].map((user, seat) => ({
        user,
        bot: seat > 0 ? "pk" : null,
        since: 0,
        misses: 0,
        salt: "",
        name: "",
      })),
      options: {
        edition: "full",
        players: 3,
        house_rules: [],
        clock: "none",
        listed: false,
        spectators: true,
        delay: 0,
        pace: "normal",
      },
    },
    ...changes,
  };
}

/** Return a batch behind that welcome. */
export function batch(changes: Partial<Batch> = {}): Batch {
  return { type: "batch", seq: 11, at: 0, ...changes };
}

/** Return what a seat may do where it could take every offer to it. */
export function takingAll(game: View): Choices | null {
  const { choices } = welcome();
  const offers = game.phase.phase === "trade" ? game.phase.offers : [];
  const legal = offers
    .filter(({ to }) => to.includes(0))
    .map(({ id, revision }): AnyCommand => ({
      do: "accept-offer",
      player: 0,
      offer: id,
      revision,
      hand: [],
      face_up: [],
      hand_revision: 4,
    }));
  return choices === null ? null : { ...choices, legal };
}
