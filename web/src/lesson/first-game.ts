/**
 * The first game, as docs/lessons.md tells it: seat 0 learns, Anna sits in seat 1 and Bert in seat 2. A step says
 * only what is so on the table; where the learner has gone another way, it says something general, or nothing.
 */
import { Bean, type OfferView } from "../generated/protocol";
import type { Key } from "../generated/keys";
import { pickText } from "../table/offers/offers";
import { printedCount } from "../table/texts";
import * as sight from "./sight";
import {
  aside,
  beyond,
  BEFORE_PLANTING,
  coins,
  declined,
  faceUp,
  fits,
  forMe,
  growing,
  isOffer,
  own,
  phase,
  planted,
  same,
  ticket,
  turnIs,
} from "./sight";
import type { CoachLine, Step, StepContext } from "./steps";

const { RED, CHILI, BLUE, GREEN, STINK } = Bean;
const ANNA = 1;
const BERT = 2;

/** What the learner draws at the end of turn 1: the deal of a lesson is always the same. */
const DRAWN = [BLUE, BLUE, STINK] as const;

type Composed = Readonly<Record<"tap" | "want" | "send" | "pick", Key>>;

/** Say how to give one bean for nothing, or for another: raise it, want something, send it, pick who gets it. */
function offering(now: StepContext, gives: Bean, wants: readonly Bean[], texts: Composed): CoachLine | null {
  const mine = sight
    .offers(now)
    .find((offer) => offer.maker === now.seat && offer.hand.includes(gives) && !declined(now, offer));
  if (mine !== undefined) return waiting(now, mine, isOffer(mine, [gives], wants) ? texts.pick : null);
  if (!own(now).includes(gives)) return null;
  const raised = now.hand.flatMap((place) => own(now)[place] ?? []);
  if (!raised.includes(gives)) return { text: texts.tap, at: [sight.card(now, gives)], composes: true };
  const missing = wants.find((bean) => !now.want.includes(bean));
  if (missing !== undefined)
    return { text: texts.want, at: [`[data-want="${missing}"]`, "[data-wants]"], composes: true };
  const exact = same(raised, [gives]) && same(now.want, wants) && now.faceUp.length === 0;
  return {
    text: exact ? texts.send : "lesson.send-any",
    composes: true,
    at: ["[data-send]", "[data-tray]"],
  };
}

/** Say what an own offer waits for; `pick` is said where Bert would take it. */
function waiting(now: StepContext, mine: OfferView, pick: Key | null): CoachLine {
  const [first] = mine.claimers;
  if (!mine.open || first === undefined)
    return { text: "lesson.wait", at: ticket(mine, "header"), waits: true };
  const bert = pick !== null && mine.claimers.includes(BERT);
  const who = bert ? BERT : first;
  return {
    text: bert ? pick : "lesson.pick-any",
    params: { button: pickText(mine, now.nameOf(who)) },
    at: ticket(mine, `[data-pick="${who}"]`),
  };
}

/** Say something beside the button that takes an offer. */
const taking = (offer: OfferView, text: Key, params?: CoachLine["params"]): CoachLine => ({
  text,
  ...(params === undefined ? {} : { params }),
  at: ticket(offer, '[data-key="a"]'),
});

/** Say of an offer to the learner what is so; of one that the story does not know, what is so of each. */
function answering(now: StepContext, offer: OfferView): CoachLine {
  const red = growing(now, RED);
  const story = offer.maker === ANNA && isOffer(offer, [RED], [STINK]) && red > 0;
  if (story && turnIs(now, 1)) return taking(offer, "lesson.accept");
  if (story && offer.face_up.length > 0 && own(now).includes(STINK))
    return taking(offer, "lesson.theirs", { count: red + 1 });
  if (offer.want.length > 0) return taking(offer, "lesson.offered");
  const given = offer.maker === ANNA && isOffer(offer, [CHILI], []) && growing(now, CHILI) > 0;
  return taking(offer, given ? "lesson.present" : "lesson.present-any");
}

/** Say on which fields the received beans belong. */
function planting(now: StepContext): Key {
  const kinds = [...new Set(aside(now))];
  if (same(kinds, [RED, CHILI]) && growing(now, RED) > 0) {
    if (growing(now, CHILI) > 0) return "lesson.again";
    if (fits(now, CHILI)) return "lesson.received";
  }
  if (kinds.every((bean) => growing(now, bean) > 0)) return "lesson.received-same";
  return kinds.some((bean) => fits(now, bean)) ? "lesson.received-any" : "lesson.no-room";
}

/** Say what is to be planted of what was received. */
function receiving(turn: number): Pick<Step, "over" | "say"> {
  return {
    over: (now) =>
      now.view.turn > turn || (turnIs(now, turn) && phase(now) === "plant-traded" && aside(now).length === 0),
    say: (now) =>
      turnIs(now, turn) && phase(now) === "plant-traded" && aside(now).length > 0
        ? { text: planting(now), at: [".own .match", ".own .target", "[data-aside]"] }
        : null,
  };
}

/** Tell whether anything has been traded or given away in the learner's first turn. */
const traded = (now: StepContext): boolean =>
  aside(now).length > 0 ||
  faceUp(now).length < now.view.rules.reveal ||
  [CHILI, BLUE, GREEN].some((bean) => !own(now).includes(bean));

/** Tell whether all that was turned over still lies there, and nothing was received. */
const untouched = (now: StepContext): boolean =>
  aside(now).length === 0 && faceUp(now).length === now.view.rules.reveal;

/** Return the own field that can earn no more; -1 if there is none. */
const ripe = (now: StepContext): number =>
  now.worth[now.seat]?.findIndex((worth) => worth !== null && worth.more === 0) ?? -1;

/** Return the own field that earns most, -1 while none earns anything. */
function best(now: StepContext): number {
  const coins = now.worth[now.seat]?.map((worth) => worth?.coins ?? 0) ?? [];
  const most = Math.max(0, ...coins);
  return most > 0 ? coins.indexOf(most) : -1;
}

/** Say what a field brings, one that can earn no more before others; or what is missing while none earns a coin. */
function harvesting(now: StepContext): CoachLine | null {
  if (now.view.turn < 3) return null;
  const full = ripe(now);
  const field = full < 0 ? best(now) : full;
  const worth = now.worth[now.seat]?.[field];
  if (worth == null) return { text: "lesson.grow", at: [".own .fields"], waits: true, composes: true };
  const count = sight.fields(now)[field]?.length ?? 0;
  const most = worth.bean === RED ? "lesson.harvest" : "lesson.harvest-any";
  return {
    text: full < 0 ? "lesson.harvest-earns" : most,
    params: { count, coins: worth.coins },
    at: [`[data-harvest="${field}"]`],
  };
}

/** Say that all have three fields here, and what the third costs where it must be bought. */
function thirdField({ view, larger }: StepContext): CoachLine {
  const here = view.rules.fields;
  return larger === null || larger.fields >= here
    ? { text: "lesson.fields", params: { here }, at: [".own .fields"] }
    : { text: "lesson.fields-price", params: { here, ...larger }, at: [".own .fields"] };
}

export const FIRST_GAME: readonly Step[] = [
  {
    name: "hand",
    kind: "read",
    over: (now) => beyond(now, 1, "plant") || planted(now) > 0,
    say: (now) =>
      beyond(now, 1, "plant") || planted(now) > 0 ? null : { text: "lesson.hand", at: ["section.hand"] },
  },
  {
    name: "plant",
    kind: "do",
    over: (now) => beyond(now, 1, "plant") || planted(now) > 0,
    say: () => ({ text: "lesson.plant", at: ['[data-field="0"]'] }),
  },
  {
    name: "second",
    kind: "offered",
    over: (now) => beyond(now, 1, "plant") || planted(now) > 1,
    say: (now) =>
      growing(now, RED) > 0
        ? { text: "lesson.second", at: [sight.grown(now, RED)] }
        : { text: "lesson.second-any", at: ['[data-card="0"]'] },
  },
  {
    name: "number",
    kind: "read",
    over: (now) => beyond(now, 1, "plant", "reveal"),
    say: (now) =>
      beyond(now, 1, "plant", "reveal")
        ? null
        : {
            text: "lesson.number",
            params: { blue: printedCount(now.view.rules, BLUE), red: printedCount(now.view.rules, RED) },
            at: [sight.card(now, BLUE)],
          },
  },
  {
    name: "reveal",
    kind: "do",
    over: (now) => beyond(now, 1, "plant", "reveal"),
    say: () => ({
      text: "lesson.reveal",
      at: [
        '.context .buttons [data-do="reveal"]',
        ".context .buttons .button.main",
        ".context .buttons .button",
      ],
    }),
  },
  {
    name: "market",
    kind: "read",
    over: (now) =>
      beyond(now, 1, ...BEFORE_PLANTING) ||
      forMe(now).length > 0 ||
      (phase(now) === "trade" && !untouched(now)),
    say: (now) =>
      turnIs(now, 1) && phase(now) === "trade" && untouched(now)
        ? { text: "lesson.market", at: ['[data-place="market"]'] }
        : null,
  },
  {
    name: "accept",
    kind: "do",
    once: true,
    over: (now) => beyond(now, 1, ...BEFORE_PLANTING) || aside(now).includes(RED),
    say: (now) => forMe(now).map((offer) => answering(now, offer))[0] ?? null,
  },
  {
    name: "gift",
    kind: "offered",
    over: (now) =>
      beyond(now, 1, ...BEFORE_PLANTING) ||
      (phase(now) === "trade" &&
        !(own(now).includes(BLUE) && now.view.talk.wishes[BERT]?.want.includes(BLUE) === true)),
    say: (now) =>
      phase(now) !== "trade"
        ? null
        : offering(now, BLUE, [], {
            tap: "lesson.gift",
            want: "lesson.gift",
            send: "lesson.gift-send",
            pick: "lesson.gift-pick",
          }),
  },
  {
    name: "offer",
    kind: "offered",
    over: (now) =>
      beyond(now, 1, ...BEFORE_PLANTING) ||
      (phase(now) === "trade" &&
        (!own(now).includes(GREEN) || !own(now).includes(CHILI) || aside(now).includes(CHILI))),
    say: (now) =>
      phase(now) !== "trade"
        ? null
        : offering(now, GREEN, [CHILI], {
            tap: own(now)[0] === CHILI ? "lesson.offer" : "lesson.offer-kept",
            want: "lesson.offer-want",
            send: "lesson.offer-send",
            pick: "lesson.offer-pick",
          }),
  },
  {
    name: "end",
    kind: "do",
    over: (now) => beyond(now, 1, ...BEFORE_PLANTING),
    say: (now) =>
      phase(now) === "trade"
        ? { text: traded(now) ? "lesson.end" : "lesson.end-plain", at: [".closing .button"] }
        : null,
  },
  { name: "received", kind: "do", ...receiving(1) },
  {
    name: "drawn",
    kind: "read",
    once: true,
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING) || (turnIs(now, 2) && aside(now).length > 0),
    say: (now) =>
      now.view.turn > 1 && own(now).slice(-DRAWN.length).join() === DRAWN.join()
        ? {
            text: "lesson.drawn",
            params: { count: DRAWN.length },
            at: [`[data-card="${own(now).length - 1}"]`],
          }
        : null,
  },
  {
    name: "single",
    kind: "read",
    once: true,
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING),
    say: (now) =>
      now.view.turn > 1 && sight.single(now) >= 0
        ? { text: "lesson.single", at: [`[data-field="${sight.single(now)}"]`] }
        : null,
  },
  {
    name: "theirs",
    kind: "do",
    once: true,
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING),
    say: (now) =>
      turnIs(now, 2)
        ? (forMe(now)
            .filter((offer) => offer.want.length > 0)
            .map((offer) => answering(now, offer))[0] ?? null)
        : null,
  },
  {
    name: "present",
    kind: "do",
    once: true,
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING),
    say: (now) =>
      turnIs(now, 2)
        ? (forMe(now)
            .filter((offer) => offer.want.length === 0)
            .map((offer) => answering(now, offer))[0] ?? null)
        : null,
  },
  { name: "again", kind: "do", ...receiving(2) },
  {
    name: "harvest",
    kind: "do",
    over: (now) => coins(now) > 0, // coins are the aim: nobody is dismissed before he has seen some
    say: harvesting,
  },
  {
    name: "coins",
    kind: "read",
    over: () => false,
    say: (now) =>
      coins(now) > 0
        ? {
            text: "lesson.coins",
            params: { count: coins(now) },
            at: [`[data-place="coins-${now.seat}"]`],
          }
        : null,
  },
  {
    name: "fields",
    kind: "read",
    over: () => false,
    say: (now) => (now.view.turn < 3 ? null : thirdField(now)),
  },
  {
    name: "goodbye",
    kind: "read",
    over: () => false,
    say: (now) =>
      now.view.turn > 3
        ? {
            text: now.view.active_player === now.seat ? "lesson.goodbye" : "lesson.goodbye-plain",
            at: [],
            composes: true,
          }
        : null,
  },
];
