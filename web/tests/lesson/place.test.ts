import { describe, expect, it } from "vitest";
import { overlap, spot } from "../../src/lesson/place";

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
