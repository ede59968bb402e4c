import { describe, expect, it } from "vitest";
import { areaOf, columnsIn, listArea, rowsOf } from "../../../src/board/market/grid";

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

describe("listArea", () => {
  const areas = (columns: number, tickets: readonly number[]): readonly string[] =>
    tickets.map((count) => listArea(count, { columns, rows: 2 }));

  it("stands below the tickets of the last column in sight", () => {
    expect(areas(3, [0, 2, 3, 5])).toEqual([
      "grid-area: 1 / 3 / span 2;",
      "grid-area: 1 / 3 / span 2;",
      "grid-area: 2 / 3 / span 1;",
      "grid-area: 2 / 3 / span 1;",
    ]);
    expect(areas(1, [0, 1])).toEqual(["grid-area: 1 / 1 / span 2;", "grid-area: 2 / 1 / span 1;"]);
  });

  it("stands behind all tickets where they fill that column", () => {
    expect(areas(3, [6, 7, 8, 9])).toEqual([
      "grid-area: 1 / 4 / span 2;",
      "grid-area: 1 / 5 / span 2;",
      "grid-area: 1 / 5 / span 2;",
      "grid-area: 1 / 6 / span 2;",
    ]);
  });
});
