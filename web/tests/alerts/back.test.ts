/** What a browser was told of a table goes once its person is back there. */
import { afterEach, expect, test, vi } from "vitest";
import { takeBackNotices } from "../../src/alerts/back";

const setAppBadge = vi.fn(() => Promise.resolve());

/** A message that is shown, and whether it was closed. */
const shown = (tag: string, data = tag) => ({ tag, data, close: vi.fn() });

/** Let a browser show messages; without any there is no service worker. */
function showing(told: ReturnType<typeof shown>[] | null): void {
  const registration = told === null ? undefined : { getNotifications: () => Promise.resolve(told) };
  const value = { getRegistration: () => Promise.resolve(registration) };
  Object.defineProperty(navigator, "serviceWorker", { value, configurable: true });
  Object.defineProperty(navigator, "setAppBadge", { value: setAppBadge, configurable: true });
}

afterEach(() => {
  setAppBadge.mockClear();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

test("the messages of the table are closed, and the icon counts the tables that are left", async () => {
  const told = [shown("here"), shown("other"), shown("third"), shown("test", "")];
  showing(told);
  await takeBackNotices("here");
  expect(told.map(({ close }) => close.mock.calls.length)).toEqual([1, 0, 0, 0]);
  expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(2);
});

test("with the last one the number on the icon goes", async () => {
  showing([shown("here")]);
  await takeBackNotices("here");
  expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(0);
});

test("without a service worker nothing is done", async () => {
  await takeBackNotices("here");
  showing(null);
  await takeBackNotices("here");
  expect(setAppBadge).not.toHaveBeenCalled();
});
