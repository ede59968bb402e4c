import { describe, expect, it } from "vitest";
import { columnsOf, fit, hasRoom, type Wood } from "../../../src/board/market/fit";
import { NO_LIST } from "../../../src/board/market/list-place";
import type { Size } from "../../../src/board/size.svelte";

/** What the offers have at 1440x900 with nothing put together. */
const DESK: Wood = {
  size: { narrow: false, phone: false, dense: false, broad: true } as Size,
  width: 1000,
  high: 300,
  players: 4,
  busy: false,
  crowded: false,
  opened: null,
  list: NO_LIST,
  tickets: 0,
  answering: null,
};
const SMALL: Wood = { ...DESK, size: { ...DESK.size, dense: true, broad: false } as Size, width: 700 };
const PHONE: Wood = { ...DESK, size: { ...DESK.size, narrow: true, phone: true } as Size, width: 340 };

describe("columnsOf", () => {
  it("keeps tickets wide as long as few are to be expected", () => {
    expect(columnsOf(DESK)).toBe(3);
    expect(columnsOf({ ...DESK, busy: true })).toBe(4);
    expect(columnsOf({ ...DESK, players: 6 })).toBe(4);
  });

  it("has one column on a phone", () => {
    expect(columnsOf(PHONE)).toBe(1);
  });
});

describe("hasRoom", () => {
  it("asks for two rows of all lines in a small window", () => {
    expect(hasRoom({ ...SMALL, high: 282 })).toBe(true);
    expect(hasRoom({ ...SMALL, high: 281 })).toBe(false);
    expect(hasRoom({ ...SMALL, high: 400, crowded: true })).toBe(false);
  });
});

describe("fit", () => {
  const opened = { last: 2, tall: 120, rows: 2, all: true };

  it("stacks whole tickets on a phone", () => {
    expect(fit(PHONE)).toMatchObject({ stacked: true, slim: false, cramped: false });
  });

  it("gives one line to what waits where a phone has no room for a ticket", () => {
    expect(fit({ ...PHONE, high: 100 }).cramped).toBe(true);
  });

  it("shortens all to lines on a phone while something is put together", () => {
    expect(fit({ ...PHONE, opened })).toMatchObject({ slim: true, stacked: false });
  });

  it("leaves tickets whole beside what is put together where all of them have room", () => {
    expect(fit({ ...DESK, high: 140, opened })).toMatchObject({ whole: true, slim: false, answered: null });
    expect(fit({ ...DESK, high: 110, opened: { ...opened, all: false } })).toMatchObject({ slim: true });
  });

  it("keeps the row of the answered offer where the others have no room", () => {
    const many = { ...opened, last: 6 };
    expect(fit({ ...DESK, high: 140, opened: many, answering: 4 })).toMatchObject({
      answered: 1,
      whole: true,
    });
    expect(fit({ ...DESK, high: 100, opened: many, answering: 4 }).answered).toBeNull();
  });

  it("keeps the row of the list where one of its lines is answered", () => {
    const many = { ...opened, last: 6 };
    const wood = { ...DESK, high: 140, opened: many, tickets: 4, answering: "listed" as const };
    expect(fit({ ...wood, list: { began: 1, pushed: 0 } }).answered).toBe(1);
    expect(fit({ ...wood, list: { began: 0, pushed: 0 } }).answered).toBe(0);
    expect(fit({ ...wood, list: { began: 1, pushed: 2 } })).toMatchObject({ answered: null, slim: true });
  });
});
