import { describe, expect, test } from "vitest";
import { followed, lay, moved, spread, under } from "../../../src/board/own/handplaces";

const counter = (from: number) => {
  let at = from;
  return () => (at += 1);
};

describe("followed", () => {
  test("the front card leaves when it is planted, and the others keep their names", () => {
    expect(
      followed([1, 2, 3], [{ event: "planted", player: 0, field: 1, bean: 4 }], 0, 2, counter(9)),
    ).toEqual([2, 3]);
  });

  test("cards of others leave one's own hand alone", () => {
    expect(followed([1, 2], [{ event: "planted", player: 1, field: 0, bean: 4 }], 0, 2, counter(9))).toEqual([
      1, 2,
    ]);
  });

  test("cards that are drawn get new names at the back", () => {
    expect(followed([1, 2], [{ event: "drew", player: 0, beans: [3, 4] }], 0, 4, counter(9))).toEqual([
      1, 2, 10, 11,
    ]);
  });

  test("an exchange takes exactly the own copies", () => {
    const trade = {
      event: "traded-shown",
      offer: 1,
      maker: 1,
      partner: 0,
      maker_hand: [5],
      maker_face_up: [],
      partner_hand: [8, 2],
      partner_face_up: [],
      own: [
        [1, 8],
        [3, 2],
      ],
    } as const;
    expect(followed([1, 2, 3, 4, 5], [trade], 0, 3, counter(9))).toEqual([1, 3, 5]);
  });

  test("places of a later event are those after the earlier one", () => {
    const discard = { event: "hand-discarded", player: 0, place: 1, bean: 2 } as const;
    expect(
      followed([1, 2, 3, 4], [{ event: "planted", player: 0, field: 0, bean: 1 }, discard], 0, 2, counter(9)),
    ).toEqual([2, 4]);
  });

  test("a hand that does not fit the events still has a name for each card", () => {
    expect(followed([1, 2, 3, 4], [], 0, 2, counter(9))).toEqual([1, 2]);
    expect(followed([], [], 0, 2, counter(9))).toEqual([10, 11]);
  });
});

test("chosen places follow their cards, and those that are gone are dropped", () => {
  expect(moved([0, 2, 3], [1, 2, 3, 4], [2, 3, 4, 9])).toEqual([1, 2]);
});

describe("spread", () => {
  test("cards lie side by side where there is room", () => {
    expect(spread(4, 1000, 104, 92, 6)).toEqual({ step: 98, width: 104 + 12 + 2 * 98 + 92 });
  });

  test("twelve cards fit into 344 px, the front whole", () => {
    const { step, width } = spread(12, 344, 68, 58, 6);
    expect(width).toBeCloseTo(344);
    expect(step).toBeGreaterThan(14);
  });

  test("twenty cards never ask for more room than there is", () => {
    expect(spread(20, 344, 68, 58, 6).width).toBeLessThanOrEqual(344.001);
  });

  test("one card and none need no step", () => {
    expect(spread(1, 300, 68, 58, 6).width).toBe(68);
    expect(spread(0, 300, 68, 58, 6).width).toBe(0);
  });
});

describe("lay", () => {
  test("a hand that can be touched everywhere lies in one row", () => {
    const places = lay(8, 344, 68, 58, 6, 24);
    expect(places.every(({ row }) => row === 0)).toBe(true);
    expect(Math.min(...places.map(({ reach }) => reach))).toBeGreaterThanOrEqual(24);
  });

  test.each([12, 13, 16])("%d cards lie in two rows behind the front, each to be touched", (count) => {
    const places = lay(count, 344, 60, 52, 6, 24);
    expect(places.filter(({ row }) => row === 1).length).toBeGreaterThan(3);
    expect(Math.min(...places.map(({ reach }) => reach))).toBeGreaterThanOrEqual(24);
    expect(Math.max(...places.map(({ left, reach }) => left + reach))).toBeLessThanOrEqual(344.001);
  });
});

test("a finger means the card of its row that begins left of it last", () => {
  const places = lay(13, 344, 60, 52, 6, 24);
  const [, , third, , , , , eighth] = places;
  expect(under(-5, 0, places)).toBe(0);
  expect(under((third?.left ?? 0) + 2, 0, places)).toBe(2);
  expect(under((eighth?.left ?? 0) + 2, 1, places)).toBe(7);
  expect(under(500, 1, places)).toBe(12);
});
