import { describe, expect, it } from "vitest";
import {
  Bean,
  type OfferView,
  type PhaseView,
  type PlayerView,
  type View,
} from "../../src/generated/protocol";
import { follow, stepsOf, type StepContext, type Progress } from "../../src/lesson/steps";
import { OWN, view } from "../sample";

const steps = stepsOf("first-game");
const START: Progress = { at: 0, said: false };

const TALK = {
  wishes: [
    { want: [], spare: [] },
    { want: [Bean.STINK], spare: [] },
    { want: [Bean.BLUE], spare: [] },
  ],
  promises: [],
  next_promise: 1,
};
const RULES = { ...view().rules, fields: 3, deck: [0, 6, 8, 10, 12, 14, 16, 18, 20, 0, 0] };

/** Return what the learner, in seat 0, sees. */
function now(
  phase: PhaseView,
  turn: number,
  hand: readonly Bean[],
  more: Partial<PlayerView> = {},
  changes: Partial<StepContext> = {},
): StepContext {
  const players: readonly PlayerView[] = [0, 1, 2].map((seat) => ({
    hand_size: 5,
    fields: [[], [], []],
    coins: 0,
    treasury: [],
    set_aside: [],
    bonus_hand: 0,
    bonus_claimed: [],
    ...(seat === 0 ? more : {}),
  }));
  const seen: View = view({ phase, turn, players, active_player: (turn - 1) % 3, own: { ...OWN, hand } });
  return {
    view: { ...seen, rules: RULES, talk: TALK },
    seat: 0,
    worth: [[null, null, null], [], []],
    hand: [],
    faceUp: [],
    want: [],
    larger: null,
    nameOf: (seat) => ["Cleo", "Anna", "Bert"][seat] ?? "",
    ...changes,
  };
}

const trade = (...offers: readonly OfferView[]): PhaseView => ({
  phase: "trade",
  face_up: [Bean.STINK, Bean.RED],
  offers,
  passes: [],
});
const offer = (changes: Partial<OfferView>): OfferView => ({
  id: 1,
  revision: 1,
  maker: 1,
  to: [0],
  hand: [Bean.RED],
  face_up: [],
  want: [Bean.STINK],
  open: false,
  claimers: [],
  ...changes,
});
const DEALT = [Bean.RED, Bean.RED, Bean.CHILI, Bean.BLUE, Bean.GREEN];
const DRAWN = [Bean.CHILI, Bean.BLUE, Bean.BLUE, Bean.STINK];
const ALONE: Partial<PlayerView> = { fields: [[Bean.RED, Bean.RED], [Bean.CHILI], []] };
const named = (progress: Progress, at: StepContext): string | undefined =>
  follow(steps, progress, at).step?.name;
const from = (name: string): Progress => ({ at: steps.findIndex((step) => step.name === name), said: false });

describe("the first game", () => {
  it("has between 12 and 20 steps", () => {
    expect(steps.length).toBeGreaterThanOrEqual(12);
    expect(steps.length).toBeLessThanOrEqual(20);
  });

  it("is unknown to whoever opens another lesson", () => {
    expect(stepsOf("chess")).toEqual([]);
  });

  it("begins with the hand", () => {
    expect(named(START, now({ phase: "plant", planted: 0 }, 1, DEALT))).toBe("hand");
  });

  it("passes over what was done without being told", () => {
    expect(named(START, now({ phase: "plant", planted: 1 }, 1, DEALT.slice(1)))).toBe("second");
    expect(named(START, now({ phase: "plant", planted: 2 }, 1, DEALT.slice(2)))).toBe("number");
    expect(named(START, now(trade(), 1, DEALT.slice(2)))).toBe("market");
  });

  it("finds its place in the middle, as after a reload", () => {
    expect(named(START, now({ phase: "plant-traded" }, 1, [Bean.CHILI], { set_aside: [Bean.RED] }))).toBe(
      "received",
    );
    expect(named(START, now({ phase: "plant", planted: 0 }, 4, [Bean.CHILI], { coins: 4 }))).toBe("coins");
  });

  it("speaks of an offer beside its ticket", () => {
    const found = follow(steps, from("market"), now(trade(offer({})), 1, DEALT.slice(2)));
    expect(found.step?.name).toBe("accept");
    expect(found.say?.at[0]).toContain('data-offer="1"');
  });

  it("goes on when an offer is declined", () => {
    const seen = follow(steps, from("accept"), now(trade(offer({})), 1, DEALT.slice(2)));
    expect(seen.progress.said).toBe(true);
    expect(named(seen.progress, now(trade(), 1, DEALT.slice(2)))).toBe("gift");
  });

  it("speaks of the next thing while an offer has not come yet", () => {
    const found = follow(steps, from("accept"), now(trade(), 1, DEALT.slice(2)));
    expect([found.progress.at, found.step?.name]).toEqual([from("accept").at, "gift"]);
  });

  it("leads from the card to the gift, to whoever takes it, and on", () => {
    const hand = DEALT.slice(2);
    const texts = [
      now(trade(), 1, hand),
      now(trade(), 1, hand, {}, { hand: [1] }),
      now(trade(offer({ id: 2, maker: 0, to: [1, 2], hand: [Bean.BLUE], want: [], open: true })), 1, hand),
      now(
        trade(offer({ id: 2, maker: 0, to: [1, 2], hand: [Bean.BLUE], want: [], open: true, claimers: [2] })),
        1,
        hand,
      ),
    ].map((at) => follow(steps, from("gift"), at).say?.text);
    expect(texts).toEqual(["lesson.gift", "lesson.gift-send", "lesson.wait", "lesson.gift-pick"]);
    expect(named(from("gift"), now(trade(), 1, [Bean.CHILI, Bean.GREEN]))).toBe("offer");
  });

  it("asks for something in return before an offer is sent", () => {
    const hand = [Bean.CHILI, Bean.GREEN];
    expect(follow(steps, from("offer"), now(trade(), 1, hand, {}, { hand: [1] })).say?.text).toBe(
      "lesson.offer-want",
    );
    expect(
      follow(steps, from("offer"), now(trade(), 1, hand, {}, { hand: [1], want: [Bean.CHILI] })).say?.text,
    ).toBe("lesson.offer-send");
  });

  it("leaves trading alone once it is over", () => {
    expect(
      named(from("gift"), now({ phase: "plant-traded" }, 1, DEALT.slice(2), { set_aside: [Bean.RED] })),
    ).toBe("received");
  });

  it("does not wait for a gift that never comes", () => {
    expect(
      named(from("present"), now({ phase: "plant-traded" }, 2, [Bean.CHILI], { set_aside: [Bean.RED] })),
    ).toBe("again");
  });

  it("speaks of the harvest when a field can earn no more", () => {
    const ripe = { bean: Bean.RED, coins: 4, discards: 1, more: 0, next_coins: 0, steps: [] };
    const at = now(trade(), 3, [Bean.CHILI], {}, { worth: [[null, ripe, null], [], []] });
    expect(follow(steps, from("harvest"), at).say?.at).toEqual(['[data-harvest="1"]']);
    expect(follow(steps, from("harvest"), now(trade(), 2, [Bean.CHILI])).say).toBeNull();
  });

  it("does not take leave of whoever has never harvested", () => {
    const plain = now({ phase: "plant", planted: 0 }, 9, [Bean.CHILI]);
    const earning = { bean: Bean.CHILI, coins: 1, discards: 2, more: 3, next_coins: 2, steps: [] };
    const earns = now(
      { phase: "plant", planted: 0 },
      9,
      [Bean.RED],
      {},
      { worth: [[null, earning], [], []] },
    );
    expect([named(from("harvest"), plain), named(from("harvest"), earns)]).toEqual(["harvest", "harvest"]);
    expect(follow(steps, from("harvest"), plain).say?.text).toBe("lesson.grow");
    expect(follow(steps, from("harvest"), earns).say?.at).toEqual(['[data-harvest="1"]']);
  });

  it.each<readonly [string, StepContext, StepContext]>([
    ["market", now(trade(), 1, DEALT.slice(2)), now(trade(offer({})), 1, DEALT.slice(2))],
    ["drawn", now(trade(), 2, DRAWN), now({ phase: "plant", planted: 0 }, 3, DRAWN)],
    ["single", now(trade(), 2, DRAWN, ALONE), now({ phase: "plant", planted: 0 }, 3, DRAWN, ALONE)],
    ["coins", now(trade(), 3, DRAWN, { coins: 4 }), now(trade(), 9, DRAWN, { coins: 4 })],
    ["fields", now(trade(), 3, DRAWN, { coins: 4 }), now(trade(), 9, DRAWN, { coins: 4 })],
  ])("lets the learner read to the end, whatever the others do (%s)", (name, first, later) => {
    const begun = follow(steps, from(name), first);
    expect([begun.step?.name, begun.progress.said]).toEqual([name, true]);
    expect(named(begun.progress, later)).toBe(name);
  });

  it("does not speak any more of what the learner has done while he read of it", () => {
    const begun = follow(steps, START, now({ phase: "plant", planted: 0 }, 1, DEALT));
    expect(named(begun.progress, now({ phase: "plant", planted: 1 }, 1, DEALT.slice(1)))).toBe("second");
  });

  it("ends in the learner's next turn, and never before he says so", () => {
    const end = follow(steps, from("goodbye"), now({ phase: "plant", planted: 0 }, 5, [Bean.CHILI]));
    expect(end.step?.name).toBe("goodbye");
    expect(follow(steps, { at: steps.length, said: false }, now(trade(), 9, [])).step).toBeNull();
  });
});
