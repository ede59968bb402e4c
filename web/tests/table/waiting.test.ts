import { beforeAll, describe, expect, test } from "vitest";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { mayCallForChoice } from "../../src/table/calling";
import { clockText } from "../../src/table/clocktext";
import { clockFor, restsUntil, secondsLeft, waitsFor } from "../../src/table/waiting";
import { view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

test("whom the game waits for is read from the view", () => {
  expect(waitsFor(view({ waiting: [2, 0] }), 0)).toBe(true);
  expect(waitsFor(view({ waiting: [2, 0] }), 1)).toBe(false);
});

test("the game waits neither for spectators nor before it has begun", () => {
  expect(waitsFor(view({ waiting: [0] }), null)).toBe(false);
  expect(waitsFor(null, 0)).toBe(false);
});

describe("clocks", () => {
  test("one's own clock comes before that of the trading, and that before others", () => {
    const clocks = [
      { seat: 2, due: 1, left: null, reserve: 0, beat: null },
      { seat: null, due: 2, left: null, reserve: 0, beat: null },
      { seat: 0, due: 3, left: null, reserve: 0, beat: null },
    ];
    expect(clockFor(clocks, 0)?.due).toBe(3);
    expect(clockFor(clocks, 1)?.due).toBe(2);
    expect(clockFor([], 0)).toBeUndefined();
  });

  test("a clock that stands shows what is left, one that runs what is left until it is due", () => {
    expect(secondsLeft({ seat: 0, due: null, left: 4200, reserve: 0, beat: null }, 0)).toBe(5);
    expect(secondsLeft({ seat: 0, due: 10_000, left: null, reserve: 0, beat: null }, 4_000)).toBe(6);
    expect(secondsLeft({ seat: 0, due: 1_000, left: null, reserve: 0, beat: null }, 4_000)).toBe(0);
    expect(secondsLeft({ seat: 0, due: null, left: null, reserve: 0, beat: null }, 4_000)).toBeNull();
  });

  test("seconds are written with minutes", () => {
    expect([clockText(0), clockText(65)]).toEqual(["0:00", "1:05"]);
  });

  test("hours are written with minutes, two days and more with hours", () => {
    const texts = [3599, 3600 + 120, 47 * 3600, 50 * 3600].map((seconds) => clockText(seconds));
    expect(texts).toEqual(["59:59", "1 h 2 min", "47 h 0 min", "2 d 2 h"]);
    expect([clockText(59, true), clockText(50 * 3600 + 1, true)]).toEqual(["0:59", "50 h"]);
  });
});

describe("mayCallForChoice", () => {
  const { room } = welcome();
  const person = { ...room, seats: room.seats.map((seat, at) => ({ ...seat, user: `u${at}`, bot: null })) };

  test("silence counts only where a person is waited for", () => {
    expect(mayCallForChoice(person, view(), 0)).toBe(true);
    expect(mayCallForChoice(room, view(), 0)).toBe(false);
  });

  test("nobody calls at a table with clocks, in a pause, without a seat, or for himself", () => {
    expect(mayCallForChoice({ ...person, options: { ...room.options, clock: "fast" } }, view(), 0)).toBe(
      false,
    );
    expect(mayCallForChoice({ ...person, paused: true }, view(), 0)).toBe(false);
    expect(mayCallForChoice(person, view(), null)).toBe(false);
    expect(mayCallForChoice(person, view({ active_player: 0 }), 0)).toBe(false);
  });
});

describe("clocks that stand still", () => {
  const clock = { seat: 0, due: 100_000, left: null, reserve: 0, beat: null, rests: [[20_000, 50_000]] };
  const resting = clock as unknown as Parameters<typeof secondsLeft>[0];

  test("count only what they run", () => {
    expect(secondsLeft(resting, 10_000)).toBe(60);
    expect(secondsLeft(resting, 30_000)).toBe(50);
    expect(secondsLeft(resting, 60_000)).toBe(40);
  });

  test("tell until when", () => {
    expect(restsUntil(resting, 19_999)).toBeNull();
    expect(restsUntil(resting, 20_000)).toBe(50_000);
    expect(restsUntil(resting, 50_000)).toBeNull();
  });
});
