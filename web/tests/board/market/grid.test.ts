import { describe, expect, it } from "vitest";
import {
  areaOf,
  columnsIn,
  lieAlike,
  listArea,
  listBegins,
  listRow,
  rowsOf,
  spareArea,
  spareBeside,
} from "../../../src/board/market/grid";

describe("areaOf", () => {
  const room = { columns: 4, rows: 2, list: 2 };

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
      expect(areaOf(place, { columns: 4, rows: 1, list: 1 })).toBe(areaOf(place, room));
  });
});

describe("areaOf beside a list", () => {
  const places = [0, 1, 2, 3, 4, 5, 6];
  const areas = (list: number): readonly string[] =>
    places.map((place) => areaOf(place, { columns: 3, rows: 2, list }).slice(11, 16));

  it("takes the column of the list last, and then what is behind", () => {
    expect(areas(0)).toEqual(["1 / 1", "1 / 2", "2 / 1", "2 / 2", "1 / 3", "2 / 3", "1 / 4"]);
    expect(areas(1)).toEqual(["1 / 1", "1 / 2", "1 / 3", "2 / 1", "2 / 2", "2 / 3", "1 / 4"]);
  });

  it("moves no ticket that was there when the list began", () => {
    for (const columns of [1, 2, 3, 4])
      for (let tickets = 0; tickets <= 2 * columns + 1; tickets += 1) {
        const room = { columns, rows: 2, list: listBegins(tickets, columns, 2) };
        expect(lieAlike(tickets, columns, room.list, 2)).toBe(true);
        for (let place = 0; place < tickets; place += 1)
          expect(areaOf(place, room)).toBe(areaOf(place, { ...room, list: 2 }));
      }
  });

  it("gives each place another area, and none the one of the list", () => {
    for (const columns of [1, 2, 3])
      for (const list of [0, 1, 2])
        for (let tickets = 0; tickets < 9; tickets += 1) {
          const room = { columns, rows: 2, list };
          const taken = [...Array(tickets).keys()].map((place) => areaOf(place, room));
          expect(new Set(taken).size).toBe(tickets);
          const row = listRow(tickets, room);
          const covered = [...Array(2 - row).keys()].map((at) => `grid-area: ${row + at + 1} / ${columns};`);
          expect(taken.filter((area) => covered.includes(area))).toEqual([]);
        }
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

describe("listRow", () => {
  const rows = (list: number, columns = 3): readonly number[] =>
    [0, 2, 4, 5, 6, 9].map((tickets) => listRow(tickets, { columns, rows: 2, list }));

  it("stays where the list began until no other place is free", () => {
    expect(rows(0)).toEqual([0, 0, 0, 1, 2, 2]);
    expect(rows(1)).toEqual([1, 1, 1, 1, 2, 2]);
  });

  it("is below all tickets in one column", () => {
    expect(rows(0, 1)).toEqual([0, 2, 2, 2, 2, 2]);
  });
});

describe("listArea", () => {
  it("is the last column from a row on", () => {
    expect([0, 1].map((row) => listArea(3, row, { columns: 3, rows: 2, list: 0 }))).toEqual([
      "grid-area: 1 / 3 / span 2;",
      "grid-area: 2 / 3 / span 1;",
    ]);
  });

  it("stands behind all tickets where they fill that column", () => {
    expect([6, 7, 8, 9].map((count) => listArea(count, 2, { columns: 3, rows: 2, list: 1 }))).toEqual([
      "grid-area: 1 / 4 / span 2;",
      "grid-area: 1 / 5 / span 2;",
      "grid-area: 1 / 5 / span 2;",
      "grid-area: 1 / 6 / span 2;",
    ]);
  });
});

describe("spareBeside", () => {
  const room = { columns: 3, rows: 2, list: 0 };

  it("is below all tickets while a row is free", () => {
    expect(spareBeside(0, 0, room)).toEqual({ row: 0, column: 0, across: 2 });
    expect(spareBeside(0, 1, room)).toEqual({ row: 1, column: 0, across: 2 });
    expect(spareBeside(2, 0, room)).toEqual({ row: 1, column: 0, across: 2 });
  });

  it("is behind the tickets of the last row else, and nowhere once they fill it", () => {
    expect(spareBeside(3, 0, room)).toEqual({ row: 1, column: 1, across: 1 });
    expect(spareBeside(4, 0, room)).toBeNull();
    expect(spareBeside(0, 0, { ...room, columns: 1 })).toBeNull();
  });

  it("has the rows that are left", () => {
    expect(spareArea({ row: 1, column: 0, across: 2 }, room)).toBe(
      "grid-area: 2 / 1 / span 1 / span 2; --across: 2;",
    );
  });
});
