import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SETTLES, Stillness, TELLS } from "../../../src/board/market/still";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Return a ticket in its place, so many pixels from the left. */
function ticket(offer: number, left: number, revision = 1): HTMLElement {
  const place = document.createElement("div");
  Object.defineProperty(place, "offsetLeft", { configurable: true, get: () => left });
  const found = document.createElement("article");
  found.dataset["offer"] = String(offer);
  found.dataset["revision"] = String(revision);
  place.append(found);
  return found;
}

const held = (element: HTMLElement): boolean => element.style.pointerEvents === "none";

test("what lies there at the first look can be pressed", () => {
  const first = ticket(1, 0);
  new Stillness().look([first]);
  expect(held(first)).toBe(false);
});

test("a ticket that has come cannot be pressed for a moment", () => {
  const [stillness, first, second] = [new Stillness(), ticket(1, 0), ticket(2, 9)];
  stillness.look([first]);
  stillness.look([first, second]);
  expect([held(first), held(second)]).toEqual([false, true]);
  vi.advanceTimersByTime(SETTLES);
  expect(held(second)).toBe(false);
});

test.each([
  ["moved", ticket(1, 9)],
  ["changed", ticket(1, 0, 2)],
])("a ticket that has %s cannot be pressed for a moment", (_, later) => {
  const stillness = new Stillness();
  stillness.look([ticket(1, 0)]);
  stillness.look([later]);
  expect(held(later)).toBe(true);
});

test("a ticket that moves again is held anew", () => {
  const [stillness, here, there] = [new Stillness(), ticket(1, 0), ticket(1, 9)];
  stillness.look([here]);
  stillness.look([there]);
  vi.advanceTimersByTime(SETTLES - 1);
  Object.defineProperty(there.parentElement, "offsetLeft", { get: () => 18 });
  stillness.look([there]);
  vi.advanceTimersByTime(SETTLES - 1);
  expect(held(there)).toBe(true);
});

/** Let a ticket lie from 10 to 20 px in both directions. */
function laidOut(element: HTMLElement): HTMLElement {
  element.getBoundingClientRect = () => new DOMRect(10, 10, 10, 10);
  return element;
}

test("a ticket that took no press says so for a while", () => {
  const [stillness, first] = [new Stillness(), laidOut(ticket(1, 0))];
  stillness.look([]);
  stillness.look([first]);
  stillness.tell(15, 15, "It moved");
  expect(first.dataset["held"]).toBe("It moved");
  vi.advanceTimersByTime(TELLS);
  expect(first.dataset["held"]).toBeUndefined();
});

test("a press beside a held ticket, or on one that takes presses, is told nothing", () => {
  const [stillness, first] = [new Stillness(), laidOut(ticket(1, 0))];
  stillness.look([]);
  stillness.look([first]);
  stillness.tell(15, 25, "It moved");
  vi.advanceTimersByTime(SETTLES);
  stillness.tell(15, 15, "It moved");
  expect(first.dataset["held"]).toBeUndefined();
});
