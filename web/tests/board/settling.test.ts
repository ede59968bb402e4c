import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settling } from "../../src/board/settling";
import { SETTLES } from "../../src/board/market/still";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a button that has just come lets the pointer through, for a moment", () => {
  const button = document.createElement("button");
  const leave = settling("take")(button);
  expect(button.style.pointerEvents).toBe("none");

  vi.advanceTimersByTime(SETTLES);
  expect(button.style.pointerEvents).toBe("");
  leave?.();
});

test("a button that goes away leaves nothing behind", () => {
  settling("take")(document.createElement("button"))?.();
  expect(vi.getTimerCount()).toBe(0);
});

test("its key sleeps as long, unless it could mean nothing else before", () => {
  const [guarded, free] = [document.createElement("button"), document.createElement("button")];
  const stop = settling("meaning")(guarded);
  settling("meaning", false)(free);
  expect([guarded, free].map(({ dataset }) => dataset["settles"])).toEqual(["", undefined]);
  expect(free.style.pointerEvents).toBe("none");
  vi.advanceTimersByTime(SETTLES);
  expect(guarded.dataset["settles"]).toBeUndefined();
  stop?.();
});
