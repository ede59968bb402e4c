import { describe, expect, it } from "vitest";
import { HARDLY, NEVER, overlap, spot } from "../../src/lesson/place";

const PAGE = { width: 1000, height: 800 };
const SIZE = { width: 300, height: 120 };

describe("a bubble", () => {
  it("stands above what it speaks of", () => {
    const anchor = { left: 400, top: 600, width: 60, height: 80 };
    const found = spot(anchor, SIZE, PAGE, []);
    expect(found.side).toBe("above");
    expect(found.top + SIZE.height).toBeLessThanOrEqual(anchor.top);
  });

  it("never covers what it speaks of", () => {
    for (const anchor of [
      { left: 0, top: 0, width: 80, height: 40 },
      { left: 950, top: 0, width: 50, height: 50 },
      { left: 0, top: 760, width: 1000, height: 40 },
      { left: 400, top: 5, width: 200, height: 300 },
    ]) {
      expect(overlap({ ...spot(anchor, SIZE, PAGE, []), ...SIZE }, anchor)).toBe(0);
    }
  });

  it("keeps away from what is to be tapped", () => {
    const anchor = { left: 400, top: 400, width: 60, height: 60 };
    const tray = { left: 0, top: 200, width: 1000, height: 180 };
    expect(overlap({ ...spot(anchor, SIZE, PAGE, [tray]), ...SIZE }, tray)).toBe(0);
  });

  it("stays on the page", () => {
    const found = spot({ left: 990, top: 790, width: 10, height: 10 }, SIZE, PAGE, []);
    expect(found.left).toBeGreaterThanOrEqual(0);
    expect(found.left + SIZE.width).toBeLessThanOrEqual(PAGE.width);
    expect(found.top + SIZE.height).toBeLessThanOrEqual(PAGE.height);
  });

  it("stands apart where it speaks of nothing on the table", () => {
    expect(spot(null, SIZE, PAGE, []).side).toBe("free");
  });
});

describe("a bubble on a full table", () => {
  const seats = { left: 0, top: 50, width: 360, height: 120, weight: NEVER };
  const phone = { width: 360, height: 800 };
  const bubble = { width: 344, height: 140 };

  it("would rather hide one's own hand than an opponent", () => {
    const hand = { left: 0, top: 640, width: 360, height: 100 };
    const wood = { left: 0, top: 170, width: 360, height: 470, weight: HARDLY };
    const found = spot({ left: 10, top: 400, width: 60, height: 40 }, bubble, phone, [seats, wood, hand]);
    expect(overlap({ ...found, ...bubble }, seats)).toBe(0);
  });

  it("finds the only free place", () => {
    const below = { left: 0, top: 330, width: 360, height: 470, weight: NEVER };
    const found = spot(null, bubble, phone, [seats, below]);
    expect([seats, below].map((rect) => overlap({ ...found, ...bubble }, rect))).toEqual([0, 0]);
  });

  it("stays where it is while that is as good as elsewhere", () => {
    const now = { left: 10, top: 333, side: "free" } as const;
    expect(spot(null, bubble, phone, [seats], now)).toEqual(now);
  });
});
