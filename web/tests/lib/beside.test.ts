import { describe, expect, test } from "vitest";
import { beside, type Box } from "../../src/lib/beside";

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const ROOM = { width: 1000, height: 700 };
const TIP = { width: 200, height: 60 };
const BUTTON = box(400, 300, 100, 40);

describe("beside", () => {
  test("with room everywhere it stands above the middle", () => {
    expect(beside(BUTTON, BUTTON, TIP, [], ROOM)).toEqual({ left: 350, top: 232 });
  });

  test("where something needed lies above, it stands below", () => {
    const cards = box(300, 200, 300, 90);
    expect(beside(BUTTON, BUTTON, TIP, [cards], ROOM)).toEqual({ left: 350, top: 348 });
  });

  test("where something needed lies above and below, it stands at the side", () => {
    const needed = [box(0, 0, 1000, 288), box(0, 352, 1000, 348)];
    expect(beside(BUTTON, BUTTON, TIP, needed, ROOM)).toEqual({ left: 508, top: 290 });
  });

  test("it does not cover the ticket that its button belongs to", () => {
    const ticket = box(300, 180, 300, 170);
    const at = beside(BUTTON, ticket, TIP, [ticket], ROOM);
    expect(at.top).toBeGreaterThanOrEqual(ticket.bottom);
    expect(at.top).toBeLessThanOrEqual(ticket.bottom + 8);
  });

  test("at the edge it stays in the window and never lies on what it explains", () => {
    const corner = box(960, 0, 40, 40);
    const at = beside(corner, corner, TIP, [], ROOM);
    expect(at.left + TIP.width).toBeLessThanOrEqual(ROOM.width - 8);
    expect(at.top).toBeGreaterThanOrEqual(48);
  });

  test("among needed things it stands in the gap that is nearest", () => {
    const needed = [
      box(0, 0, 1000, 280),
      box(0, 348, 420, 90),
      box(630, 348, 370, 90),
      box(0, 290, 1000, 48),
    ];
    const at = beside(BUTTON, BUTTON, TIP, needed, ROOM);
    expect([at.left >= 420, at.left + TIP.width <= 630, at.top >= 348, at.top < 360]).not.toContain(false);
  });

  test("it covers much that is needed rather than a little that is dear", () => {
    const needed = [box(0, 0, 1000, 288)];
    const dear = [box(0, 352, 1000, 348), box(508, 288, 492, 64), box(0, 288, 392, 64)];
    const at = beside(BUTTON, BUTTON, TIP, needed, ROOM, dear);
    expect(at.top + TIP.height).toBeLessThanOrEqual(288 + 8);
  });
});
