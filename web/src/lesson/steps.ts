/** The steps of the lesson: what the coach says in each, where it points, and what ends it. */
import { Bean, type OfferView, type View } from "../generated/protocol";
import type { Worth } from "../lib/merge";
import type { Key } from "../generated/keys";

/** All that a step looks at. */
export interface StepContext {
  readonly view: View;
  readonly seat: number;
  readonly worth: Worth;
  /** The offer one is putting together. */
  readonly hand: readonly number[];
  readonly want: readonly Bean[];
}

/** What the coach says, and beside which things: selectors, the first that is on the page counts. */
export interface CoachLine {
  readonly text: Key;
  readonly at: readonly string[];
  /** A thing that is only waited for has no ring around it. */
  readonly waits?: boolean;
  /** Whether an offer is being put together for it, so that the tray may be open. */
  readonly composes?: boolean;
}

/** One thing to learn. */
export interface Step {
  readonly name: string;
  /** Whether it is done, or its chance is gone. */
  over(now: StepContext): boolean;
  /** Return what there is to say of it now, `null` while it has to wait. */
  say(now: StepContext): CoachLine | null;
  /** Whether it goes on when it was read, is offered and may be put aside, or only ends by being done. */
  readonly kind: "read" | "offered" | "do";
  /** Whether it is over once it was said and there is nothing more to say of it. */
  readonly once?: true;
}

const BEFORE_PLANTING = ["plant", "reveal", "trade"] as const;

const phase = (now: StepContext): View["phase"]["phase"] => now.view.phase.phase;
const own = (now: StepContext): readonly Bean[] => now.view.own?.hand ?? [];
const aside = (now: StepContext): readonly Bean[] => now.view.players[now.seat]?.set_aside ?? [];
const fields = (now: StepContext): readonly (readonly Bean[])[] => now.view.players[now.seat]?.fields ?? [];
const coins = (now: StepContext): number => now.view.players[now.seat]?.coins ?? 0;
const planted = (now: StepContext): number => (now.view.phase.phase === "plant" ? now.view.phase.planted : 0);
const offers = (now: StepContext): readonly OfferView[] =>
  now.view.phase.phase === "trade" ? now.view.phase.offers : [];
const turnIs = (now: StepContext, turn: number): boolean => now.view.turn === turn;
const beyond = (now: StepContext, turn: number, ...phases: readonly string[]): boolean =>
  now.view.turn > turn || (now.view.turn === turn && !phases.includes(phase(now)));

/** Return the offers that wait for one's answer. */
function forMe(now: StepContext): readonly OfferView[] {
  const refused = now.view.own?.refused ?? [];
  return offers(now).filter(
    (offer) =>
      offer.to.includes(now.seat) && !refused.includes(offer.id) && !offer.claimers.includes(now.seat),
  );
}

const card = (now: StepContext, bean: Bean): string => `[data-card="${own(now).indexOf(bean)}"]`;
const grown = (now: StepContext, bean: Bean): string =>
  `[data-field="${Math.max(
    0,
    fields(now).findIndex((field) => field[0] === bean),
  )}"]`;
const ticket = (offer: OfferView, part: string): readonly string[] => [
  `[data-offer="${offer.id}"] ${part}`,
  `[data-offer="${offer.id}"]`,
];
const taking = (offer: OfferView): readonly string[] => ticket(offer, '[data-key="a"]');

/** Say how to give one bean for nothing, or for another: raise it, want something, send it, pick who gets it. */
function offering(
  now: StepContext,
  gives: Bean,
  wants: Bean | null,
  texts: Readonly<Record<"tap" | "want" | "send" | "wait" | "pick", Key>>,
): CoachLine | null {
  const mine = offers(now).find((offer) => offer.maker === now.seat && offer.hand.includes(gives));
  if (mine !== undefined) {
    const picks = mine.open && mine.claimers.length > 0;
    return {
      text: picks ? texts.pick : texts.wait,
      at: picks ? ticket(mine, "[data-pick]") : ticket(mine, "header"),
      waits: !picks,
    };
  }
  if (!own(now).includes(gives)) return null;
  const raised = now.hand.some((place) => own(now)[place] === gives);
  if (!raised) return { text: texts.tap, at: [card(now, gives)], composes: true };
  if (wants !== null && !now.want.includes(wants))
    return { text: texts.want, at: [`[data-want="${wants}"]`, "[data-wants]"], composes: true };
  return { text: texts.send, composes: true, at: ["[data-send]", "[data-tray]"] };
}

/** Say what is to be planted of what was received. */
function receiving(turn: number, text: Key): Pick<Step, "over" | "say"> {
  return {
    over: (now) =>
      now.view.turn > turn || (turnIs(now, turn) && phase(now) === "plant-traded" && aside(now).length === 0),
    say: (now) =>
      turnIs(now, turn) && phase(now) === "plant-traded" && aside(now).length > 0
        ? { text, at: [".own .target", "[data-aside]"] }
        : null,
  };
}

/** The first game, as docs/lessons.md tells it; seat 0 learns, Anna sits in seat 1 and Bert in seat 2. */
const FIRST_GAME: readonly Step[] = [
  {
    name: "hand",
    kind: "read",
    over: (now) => beyond(now, 1, "plant") || planted(now) > 0,
    say: () => ({ text: "lesson.hand", at: ["section.hand"] }),
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
    say: (now) => ({ text: "lesson.second", at: [grown(now, Bean.RED)] }),
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
    over: (now) => beyond(now, 1, ...BEFORE_PLANTING) || forMe(now).length > 0 || aside(now).length > 0,
    say: (now) => (phase(now) === "trade" ? { text: "lesson.market", at: ['[data-place="market"]'] } : null),
  },
  {
    name: "accept",
    kind: "do",
    once: true,
    over: (now) => beyond(now, 1, ...BEFORE_PLANTING) || aside(now).length > 0,
    say: (now) =>
      forMe(now)
        .slice(0, 1)
        .map((offer): CoachLine => ({ text: "lesson.accept", at: taking(offer) }))[0] ?? null,
  },
  {
    name: "gift",
    kind: "offered",
    over: (now) =>
      beyond(now, 1, ...BEFORE_PLANTING) || (phase(now) === "trade" && !own(now).includes(Bean.BLUE)),
    say: (now) =>
      phase(now) !== "trade"
        ? null
        : offering(now, Bean.BLUE, null, {
            tap: "lesson.gift",
            want: "lesson.gift",
            send: "lesson.gift-send",
            wait: "lesson.wait",
            pick: "lesson.gift-pick",
          }),
  },
  {
    name: "offer",
    kind: "offered",
    over: (now) =>
      beyond(now, 1, ...BEFORE_PLANTING) ||
      (phase(now) === "trade" && (!own(now).includes(Bean.GREEN) || aside(now).includes(Bean.CHILI))),
    say: (now) =>
      phase(now) !== "trade"
        ? null
        : offering(now, Bean.GREEN, Bean.CHILI, {
            tap: "lesson.offer",
            want: "lesson.offer-want",
            send: "lesson.offer-send",
            wait: "lesson.wait",
            pick: "lesson.offer-pick",
          }),
  },
  {
    name: "end",
    kind: "do",
    over: (now) => beyond(now, 1, ...BEFORE_PLANTING),
    say: (now) => (phase(now) === "trade" ? { text: "lesson.end", at: [".closing .button"] } : null),
  },
  { name: "received", kind: "do", ...receiving(1, "lesson.received") },
  {
    name: "drawn",
    kind: "read",
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING) || (turnIs(now, 2) && forMe(now).length > 0),
    say: (now) =>
      turnIs(now, 2) ? { text: "lesson.drawn", at: [`[data-card="${own(now).length - 1}"]`] } : null,
  },
  {
    name: "theirs",
    kind: "do",
    once: true,
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING),
    say: (now) =>
      forMe(now)
        .filter((offer) => offer.want.length > 0)
        .slice(0, 1)
        .map((offer): CoachLine => ({ text: "lesson.theirs", at: taking(offer) }))[0] ?? null,
  },
  {
    name: "present",
    kind: "do",
    once: true,
    over: (now) => beyond(now, 2, ...BEFORE_PLANTING),
    say: (now) =>
      forMe(now)
        .filter((offer) => offer.want.length === 0)
        .slice(0, 1)
        .map((offer): CoachLine => ({ text: "lesson.present", at: taking(offer) }))[0] ?? null,
  },
  { name: "again", kind: "do", ...receiving(2, "lesson.again") },
  {
    name: "harvest",
    kind: "do",
    over: (now) => now.view.turn > 3 || coins(now) > 0,
    say: (now) => {
      const ripe = now.worth[now.seat]?.findIndex((worth) => worth !== null && worth.more === 0) ?? -1;
      return ripe < 0 || now.view.turn < 3
        ? null
        : { text: "lesson.harvest", at: [`[data-harvest="${ripe}"]`] };
    },
  },
  {
    name: "coins",
    kind: "read",
    over: (now) => now.view.turn > 4 || (now.view.turn > 3 && coins(now) === 0),
    say: (now) =>
      coins(now) > 0 ? { text: "lesson.coins", at: [`[data-place="coins-${now.seat}"]`] } : null,
  },
  {
    name: "goodbye",
    kind: "read",
    over: () => false,
    say: (now) => (now.view.turn > 3 ? { text: "lesson.goodbye", at: [] } : null),
  },
];

/** What is said while an offer lies open on the table's middle and hides what the step speaks of. */
export const TRAY_FIRST: CoachLine = {
  text: "lesson.tray-first",
  at: ['[data-send] + [data-key="Escape"]'],
  composes: true,
};

/** What is taught in a lesson of the catalog; nothing in one that this page does not know. */
export function stepsOf(lesson: string): readonly Step[] {
  return lesson === "first-game" ? FIRST_GAME : [];
}

/** How far the lesson is: how many steps are behind, and whether the present one was shown. */
export interface Progress {
  readonly at: number;
  readonly said: boolean;
}

/** A step that is on, its place among all, and what is said of it. */
export interface Current {
  readonly progress: Progress;
  readonly step: Step | null;
  readonly say: CoachLine | null;
}

/** Return how far one has got: steps that are over are passed, and only the first that is not may speak. */
export function follow(steps: readonly Step[], progress: Progress, now: StepContext): Current {
  let { at, said } = progress;
  for (let step = steps[at]; step !== undefined; step = steps[at]) {
    const say = step.over(now) ? null : step.say(now);
    const missed = step.once === true && said && say === null;
    if (!step.over(now) && !missed) return { progress: { at, said: said || say !== null }, step, say };
    at += 1;
    said = false;
  }
  return { progress: { at, said: false }, step: null, say: null };
}
