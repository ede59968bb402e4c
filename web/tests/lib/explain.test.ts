import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { explain, explaining } from "../../src/lib/explain.svelte";

let button: HTMLElement;
let detach: ReturnType<ReturnType<typeof explain>>;

/** Let a mouse do something at a place of the window. */
function mouse(type: string, x: number): PointerEvent {
  const event = new MouseEvent(type, { clientX: x, clientY: 0, bubbles: true });
  Object.defineProperty(event, "pointerType", { value: "mouse" });
  button.dispatchEvent(event);
  return event as PointerEvent;
}

beforeEach(() => {
  vi.useFakeTimers();
  button = document.createElement("button");
  document.body.append(button);
  detach = explain(() => ({ text: "what it does" }))(button);
});
afterEach(() => {
  detach?.();
  explaining.hide();
  button.remove();
  vi.useRealTimers();
});

test("what a mouse rests on is explained", () => {
  explaining.rest(mouse("pointermove", 1));
  mouse("pointerenter", 5);
  vi.advanceTimersByTime(1000);
  expect(explaining.note?.text).toBe("what it does");
});

test("what comes to lie under a pressed mouse is explained once the mouse moves", () => {
  explaining.rest(mouse("pointerdown", 7));
  mouse("pointerenter", 7);
  vi.advanceTimersByTime(1000);
  expect(explaining.note).toBeNull();
  mouse("pointermove", 8);
  vi.advanceTimersByTime(1000);
  expect(explaining.note?.text).toBe("what it does");
});

test("what comes to lie under a mouse that rests is explained once the mouse moves", () => {
  explaining.rest(mouse("pointermove", 7));
  explaining.hide();
  vi.clearAllTimers();
  mouse("pointerenter", 7);
  mouse("pointermove", 7);
  vi.advanceTimersByTime(1000);
  expect(explaining.note).toBeNull();
  mouse("pointermove", 8);
  vi.advanceTimersByTime(1000);
  expect(explaining.note?.text).toBe("what it does");
});

test("what lies under the mouse when the page is opened is explained once the mouse moves", async () => {
  vi.resetModules();
  const fresh = await import("../../src/lib/explain.svelte");
  fresh.explain(() => ({ text: "it" }))(button);
  mouse("pointerenter", 7);
  vi.advanceTimersByTime(1000);
  expect(fresh.explaining.note).toBeNull();
  mouse("pointermove", 8);
  vi.advanceTimersByTime(1000);
  expect(fresh.explaining.note?.text).toBe("it");
});

test("what the keyboard has come to is explained until one goes on by another key", () => {
  vi.spyOn(button, "matches").mockReturnValue(true);
  button.dispatchEvent(new Event("focus"));
  vi.advanceTimersByTime(60_000);
  button.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  expect(explaining.note?.text).toBe("what it does");
  button.dispatchEvent(new KeyboardEvent("keydown", { key: "o" }));
  expect(explaining.note).toBeNull();
});

test("what a press has explained stays, though the keyboard came there first", () => {
  vi.spyOn(button, "matches").mockReturnValue(true);
  button.dispatchEvent(new Event("focus"));
  explaining.show(button, { text: "pinned" }, true);
  button.dispatchEvent(new KeyboardEvent("keydown", { key: "o" }));
  expect(explaining.note?.text).toBe("pinned");
});
