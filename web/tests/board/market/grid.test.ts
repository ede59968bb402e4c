import { describe, expect, it } from "vitest";
import { areaOf, columnsIn, rowsOf } from "../../../src/board/market/grid";

describe("areaOf", () => {
  const room = { columns: 4, rows: 2 };

  it("fills the rows in sight one after the other", () => {
    expect([0, 3, 4, 7].map((place) => areaOf(place, room))).toEqual([
      "grid-area: 1 / 1;",
      "grid-area: 1 / 4;",
      "grid-area: 2 / 1;",
      "grid-area: 2 / 4;",
    ]);
  });

  it("fills columns behind what is in sight", () => {
    expect([8, 9, 10].map((place) => areaOf(place, room))).toEqual([
      "grid-area: 1 / 5;",
      "grid-area: 2 / 5;",
      "grid-area: 1 / 6;",
    ]);
  });

  it("leaves the first row where it is when only one is left", () => {
    for (const place of [0, 1, 2, 3])
      expect(areaOf(place, { columns: 4, rows: 1 })).toBe(areaOf(place, room));
  });
});

describe("columnsIn", () => {
  it("is four at most, and one at least", () => {
    expect([100, 460, 700, 928, 2000].map(columnsIn)).toEqual([1, 2, 3, 4, 4]);
  });
});

describe("rowsOf", () => {
  it("counts rows with the gaps between them", () => {
    expect([40, 90, 181, 182, 275].map((px) => rowsOf({ least: 89, gap: 4 }, px))).toEqual([1, 1, 1, 2, 3]);
  });
});
