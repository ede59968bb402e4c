import { describe, expect, test } from "vitest";
import type { OwnHand, ShownEvent } from "../../src/generated/protocol";
import { flightsOf } from "../../src/board/flights";
import { batch, OWN, view } from "../sample";

const flights = (events: readonly ShownEvent[], seat: number | null = 0, own?: OwnHand) =>
  flightsOf(
    batch({ events, ...(own === undefined ? {} : { view: { own } }) }),
    view({ phase: { phase: "trade", face_up: [4, 1], offers: [], passes: [] } }),
    seat,
  );

describe("flightsOf", () => {
  test("a planted card comes from the front of the own hand, or from another's seat", () => {
    expect(flights([{ event: "planted", player: 0, field: 1, bean: 2 }])[0]).toEqual({
      bean: 2,
      from: ["hand-0"],
      to: ["field-0-1", "seat-0"],
    });
    expect(flights([{ event: "planted", player: 2, field: 0, bean: 2 }])[0]?.from).toEqual(["seat-2"]);
  });

  test("drawn cards arrive at the back of the own hand", () => {
    const own = { ...OWN, hand: [...OWN.hand, 3, 4] as OwnHand["hand"] };
    expect(
      flights([{ event: "drew", player: 0, beans: [3, 4] }], 0, own).map((flight) => flight.to[0]),
    ).toEqual(["hand-5", "hand-6"]);
  });

  test("others draw one card face down, however many they are", () => {
    expect(flights([{ event: "drew-hidden", player: 1, count: 3 }])).toEqual([
      { bean: null, from: ["draw"], to: ["seat-1"] },
    ]);
  });

  test("cards that are turned over lie behind those that lie there", () => {
    expect(
      flights([{ event: "turned-over", player: 1, beans: [5, 6] }]).map((flight) => flight.to[0]),
    ).toEqual(["faceup-2", "faceup-3"]);
  });

  test("a harvest turns beans into coins and discards the rest in one", () => {
    const found = flights([
      { event: "harvested", player: 0, field: 0, coins: [9, 9], discards: [9, 9, 9, 9] },
    ]);
    expect(found.map((flight) => flight.coin ?? flight.to[0])).toEqual(["becomes", "becomes", "discard"]);
  });

  test("an exchange goes to the places of both, the own copies from where they lay", () => {
    const trade = {
      event: "traded-shown",
      offer: 1,
      maker: 1,
      partner: 0,
      maker_hand: [5],
      maker_face_up: [[1, 1]],
      partner_hand: [2],
      partner_face_up: [],
      own: [[2, 2]],
    } as const;
    expect(flights([trade]).map((flight) => [flight.from[0], flight.to[0]])).toEqual([
      ["seat-1", "aside-0"],
      ["faceup-1", "aside-0"],
      ["hand-2", "aside-1"],
    ]);
  });

  test("what is still face up is set aside when the market closes", () => {
    expect(
      flights([{ event: "trading-closed", player: 1 }]).map((flight) => [flight.from[0], flight.to[0]]),
    ).toEqual([
      ["faceup-0", "aside-1"],
      ["faceup-1", "aside-1"],
    ]);
  });

  test("never more than a dozen fly, and talk does not fly at all", () => {
    const many = Array.from({ length: 30 }, (): ShownEvent => ({
      event: "planted",
      player: 1,
      field: 0,
      bean: 2,
    }));
    expect(flights(many)).toHaveLength(12);
    expect(flights([{ event: "passed", player: 1 }])).toEqual([]);
  });
});
