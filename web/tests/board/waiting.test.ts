import { describe, expect, test } from "vitest";
import type { PlayerView, View } from "../../src/generated/protocol";
import { waits } from "../../src/board/calling";
import { clockFor, clockText, secondsLeft, waitedFor } from "../../src/board/waiting";
import { view, welcome } from "../sample";

const aside = (player: PlayerView | undefined): PlayerView => ({ ...(player as PlayerView), set_aside: [3] });

describe("waitedFor", () => {
  test("the active player is waited for while he plants and trades", () => {
    expect(waitedFor(view({ phase: { phase: "plant", planted: 0 } }))).toEqual([1]);
    expect(waitedFor(view())).toEqual([1]);
  });

  test("where all must pass, those who have not are waited for", () => {
    const rules = { ...view().rules, closing: "unanimous" } as View["rules"];
    expect(waitedFor(view({ rules, phase: { phase: "trade", face_up: [], offers: [], passes: [1] } }))).toEqual([0, 2]);
  });

  test("everybody with cards set aside is waited for", () => {
    const { players } = view();
    expect(waitedFor(view({ phase: { phase: "plant-traded" }, players: [aside(players[0]), players[1] as PlayerView, aside(players[2])] }))).toEqual([0, 2]);
  });

  test("the receiver plants the gift, the active player the rest", () => {
    expect(waitedFor(view({ phase: { phase: "plant-gift", face_up: [1], gift: [2], receiver: 0, planted: 0 } }))).toEqual([0, 1]);
    expect(waitedFor(view({ phase: { phase: "plant-gift", face_up: [1], gift: [], receiver: 0, planted: 0 } }))).toEqual([1]);
  });

  test("bonus cards are chosen one after the other", () => {
    expect(waitedFor(view({ phase: { phase: "bonus", discarding: [], refilling: [1, 0] } }))).toEqual([1]);
  });

  test("after the end nobody is waited for", () => {
    const result = { coins: [], pennies: [], hand_cards: [], winners: [] };
    expect(waitedFor(view({ phase: { phase: "end", result, unscored: [] } }))).toEqual([]);
  });
});

describe("clocks", () => {
  test("one's own clock comes before that of the trading, and that before others", () => {
    const clocks = [{ seat: 2, due: 1, left: null }, { seat: null, due: 2, left: null }, { seat: 0, due: 3, left: null }];
    expect(clockFor(clocks, 0)?.due).toBe(3);
    expect(clockFor(clocks, 1)?.due).toBe(2);
    expect(clockFor([], 0)).toBeUndefined();
  });

  test("a clock that stands shows what is left, one that runs what is left until it is due", () => {
    expect(secondsLeft({ seat: 0, due: null, left: 4200 }, 0)).toBe(5);
    expect(secondsLeft({ seat: 0, due: 10_000, left: null }, 4_000)).toBe(6);
    expect(secondsLeft({ seat: 0, due: 1_000, left: null }, 4_000)).toBe(0);
    expect(secondsLeft({ seat: 0, due: null, left: null }, 4_000)).toBeNull();
  });

  test("seconds are written with minutes", () => {
    expect([clockText(0), clockText(65)]).toEqual(["0:00", "1:05"]);
  });
});

describe("waits", () => {
  const { room } = welcome();
  const person = { ...room, seats: room.seats.map((seat, at) => ({ ...seat, user: `u${at}`, bot: null })) };

  test("silence counts only where a person is waited for", () => {
    expect(waits(person, view(), 0)).toBe(true);
    expect(waits(room, view(), 0)).toBe(false);
  });

  test("nobody calls at a table with clocks, in a pause, without a seat, or for himself", () => {
    expect(waits({ ...person, options: { ...room.options, clock: "fast" } }, view(), 0)).toBe(false);
    expect(waits({ ...person, paused: true }, view(), 0)).toBe(false);
    expect(waits(person, view(), null)).toBe(false);
    expect(waits(person, view({ active_player: 0 }), 0)).toBe(false);
  });
});
