import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { confirmTwice, type Confirmation } from "../../src/lib/confirm-twice.svelte";

let end: () => void;
let confirmation: Confirmation<string>;

beforeEach(() => {
  vi.useFakeTimers();
  end = $effect.root(() => {
    confirmation = confirmTwice<string>(1000);
  });
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

function press(button: string, needs = true): boolean {
  const done = confirmation.press(button, needs);
  flushSync();
  return done;
}

test("what needs no confirmation is done at once", () => {
  expect([press("a", false), confirmation.asking]).toEqual([true, null]);
});

test("the second press does it", () => {
  expect([press("a"), confirmation.asking]).toEqual([false, "a"]);
  expect([press("a"), confirmation.asking]).toEqual([true, null]);
});

test("after a while it is asked again", () => {
  press("a");
  vi.advanceTimersByTime(1000);
  expect(confirmation.asking).toBeNull();
  expect(press("a")).toBe(false);
});

test("another button is asked for itself", () => {
  press("a");
  expect([press("b"), confirmation.asking]).toEqual([false, "b"]);
});

test("the time of an earlier question does not end a later one", () => {
  press("a");
  vi.advanceTimersByTime(900);
  press("a");
  press("a");
  vi.advanceTimersByTime(900);
  expect(confirmation.asking).toBe("a");
});

test("no time runs on once the component is gone", () => {
  press("a");
  end();
  expect(vi.getTimerCount()).toBe(0);
});
