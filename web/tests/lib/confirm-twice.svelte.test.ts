import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { confirmTwice, type Confirmation } from "../../src/lib/confirm-twice.svelte";

let end: () => void;
let confirmation: Confirmation<string>;
let about = $state(1);

beforeEach(() => {
  vi.useFakeTimers();
  end = $effect.root(() => {
    confirmation = confirmTwice<string>(() => about);
  });
  flushSync();
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

/** Click a button that asks, as a person does. */
function clickOne(button: string): void {
  const one = document.createElement("button");
  one.onclick = () => void press(button);
  document.body.append(one);
  one.click();
  vi.advanceTimersByTime(0);
}

test("the question stays until it is answered, however long that takes", () => {
  clickOne("a");
  vi.advanceTimersByTime(600_000);
  expect(confirmation.asking).toBe("a");
  expect(press("a")).toBe(true);
});

test.each(["click", "Escape"])("whoever does something else (%s) is asked no longer", (what) => {
  clickOne("a");
  if (what === "click") document.body.click();
  else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: what, bubbles: true }));
  vi.advanceTimersByTime(0);
  expect(confirmation.asking).toBeNull();
});

test("a form that asks when it is sent keeps its question, and is sent the second time", () => {
  const form = document.createElement("form");
  const send = document.createElement("button");
  const sent: boolean[] = [];
  form.onsubmit = (event) => {
    event.preventDefault();
    sent.push(press("code"));
  };
  form.append(send);
  document.body.append(form);
  send.click();
  vi.advanceTimersByTime(0);
  send.click();
  expect(sent).toEqual([false, true]);
});

test("once it is about something else it is asked no longer", () => {
  press("a");
  about += 1;
  flushSync();
  expect(confirmation.asking).toBeNull();
});

test("another button is asked for itself", () => {
  press("a");
  expect([press("b"), confirmation.asking]).toEqual([false, "b"]);
});

test("nothing is heard any more once the component is gone", () => {
  clickOne("a");
  end();
  document.body.click();
  expect(vi.getTimerCount()).toBe(0);
  expect(confirmation.asking).toBe("a");
});
