import { describe, expect, it } from "vitest";
import { give, hintFor, type HintContext, wasGiven } from "../../src/lesson/hints";
import { view } from "../sample";

const none = (): boolean => false;

function moment(changes: Partial<HintContext> = {}): HintContext {
  return {
    view: view({ active_player: 0, turn: 1 }),
    seat: 0,
    worth: [[null, null]],
    withoutField: false,
    ...changes,
  };
}

describe("tips", () => {
  it("begin with trading, in one's own market", () => {
    expect(hintFor(moment(), none)).toBe("trade");
  });

  it("are given once each", () => {
    expect(hintFor(moment(), (name) => name === "trade")).toBeNull();
  });

  it("speak of others' turns in others' turns", () => {
    expect(hintFor(moment({ view: view({ active_player: 1 }) }), none)).toBe("turn");
  });

  it("speak of surplus when the server says that a field earns no more", () => {
    const full = { bean: 2 as const, coins: 4, discards: 1, more: 0, next_coins: 0, steps: [] };
    expect(
      hintFor(
        moment({
          view: view({ active_player: 1, phase: { phase: "plant", planted: 0 } }),
          worth: [[full, null]],
        }),
        none,
      ),
    ).toBe("surplus");
  });

  it("speak of the front in the turn before one's own", () => {
    expect(hintFor(moment({ view: view({ active_player: 2, turn: 6 }) }), (name) => name === "turn")).toBe(
      "front",
    );
  });

  it("speak of gifts when a bean would find no field", () => {
    expect(hintFor(moment({ withoutField: true }), (name) => name === "trade")).toBe("gift");
  });

  it("are none while others plant", () => {
    expect(
      hintFor(moment({ view: view({ active_player: 1, phase: { phase: "plant", planted: 0 } }) }), none),
    ).toBeNull();
  });
});

it("a tip that was given in one game is new in the next", () => {
  give("one", "trade");
  expect(wasGiven("one", "trade")).toBe(true);
  expect(wasGiven("one", "gift")).toBe(false);
  expect(wasGiven("two", "trade")).toBe(false);
});
