import { describe, expect, it } from "vitest";
import {
  apart,
  byTurn,
  changes,
  dodge,
  heightOf,
  line,
  mark,
  marks,
  nearest,
  ticks,
} from "../../src/after/chart";

const game = {
  turns: 4,
  entries: 40,
  coins: [
    { entry: 0, turn: 1, coins: [0, 0] },
    { entry: 9, turn: 2, coins: [1, 0] },
    { entry: 12, turn: 2, coins: [1, 3] },
    { entry: 30, turn: 4, coins: [5, 3] },
  ],
};

describe("coins by turn", () => {
  it("are those at the end of each turn, from the deal on", () => {
    expect(byTurn(game).map((row) => row.coins)).toEqual([
      [0, 0],
      [0, 0],
      [1, 3],
      [1, 3],
      [5, 3],
    ]);
  });

  it("are none for a game without numbers", () => {
    expect(byTurn({ turns: 3, entries: 0, coins: [] })).toEqual([]);
  });

  it("show in the table only where something changed, and the ends", () => {
    expect(changes(byTurn(game)).map((row) => row.turn)).toEqual([0, 2, 4]);
  });
});

describe("ticks", () => {
  it("are round and reach the most", () => {
    expect(ticks(14, 5)).toEqual([0, 5, 10, 15]);
    expect(ticks(3, 5)).toEqual([0, 1, 2, 3]);
  });

  it("are at least two", () => {
    expect(ticks(0, 5)).toEqual([0, 1]);
  });
});

describe("line", () => {
  it("leads from the first turn to the last, coins upwards", () => {
    const rows = byTurn(game);
    const drawn = line(rows, 0, 5, { left: 0, top: 0, width: 100, height: 50 });
    expect(drawn).toBe("M0 49.3L25 49.3L50 40L75 40L100 0");
  });
});

describe("labels", () => {
  it("keep their place where there is room", () => {
    expect(dodge([10, 60], 20, 0, 100)).toEqual([10, 60]);
  });

  it("are moved apart and stay in order", () => {
    const placed = dodge([50, 50, 52], 20, 0, 100);
    expect((placed[1] ?? 0) - (placed[0] ?? 0)).toBeGreaterThanOrEqual(20);
    expect((placed[2] ?? 0) - (placed[1] ?? 0)).toBeGreaterThanOrEqual(20);
  });

  it("are moved up again at the lower edge", () => {
    expect(dodge([95, 98], 20, 0, 100)).toEqual([80, 100]);
  });

  it("run over the edge where there are too many rather than lie upon each other", () => {
    expect(dodge([0, 0, 0], 20, 0, 30)).toEqual([0, 20, 40]);
  });
});

describe("moments to watch again", () => {
  it("are the entries that last changed the coins of a turn", () => {
    expect(byTurn(game).map((row) => row.entry)).toEqual([0, null, 12, null, 30]);
  });

  it("end with the game where nobody harvested last", () => {
    expect(byTurn({ ...game, turns: 5 }).at(-1)?.entry).toBe(39);
  });

  it("are found by the nearest turn", () => {
    const stops = changes(byTurn(game));
    expect([0, 0.2, 0.3, 0.7, 0.8, 1].map((part) => nearest(stops, part))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe("equal lines", () => {
  it("lie apart, around the number they stand for", () => {
    const moved = [0, 1, 2].map((seat) => apart([4, 4, 4], seat));
    expect(new Set(moved).size).toBe(3);
    expect(moved.reduce((sum, px) => sum + px)).toBeCloseTo(0);
  });

  it("are moved only where they are equal: a line that is alone lies on its number", () => {
    const box = { left: 0, top: 0, width: 40, height: 50 };
    expect(heightOf([5, 1, 1], 0, 5, box)).toBe(0);
    expect(heightOf([5, 1, 1], 1, 5, box)).toBeCloseTo(39.3);
    expect(heightOf([5, 1, 1], 2, 5, box)).toBeCloseTo(40.7);
  });
});

describe("marks", () => {
  const box = { left: 0, top: 0, width: 40, height: 50 };

  it("stand where the coins of a seat changed, and at the end", () => {
    const places = (seat: number): readonly string[] =>
      [...marks(byTurn(game), seat, 5, box).matchAll(/M([\d.]+ [\d.]+)/g)].map((found) => found[1] ?? "");
    expect(places(0)).toEqual(["20 40", "40 0"]);
    expect(places(1)).toEqual(["20 20", "40 20"]);
  });

  it("are another for each of seven seats", () => {
    expect(new Set([0, 1, 2, 3, 4, 5, 6].map((seat) => mark(seat, 0, 0))).size).toBe(7);
  });
});
