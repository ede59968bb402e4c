import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offline, storeOnlyFor } from "../../src/lib/offline.svelte";

/** The browser's side of service workers, as far as the page asks for it. */
class Workers extends EventTarget {
  controller: object | null = null;
  readonly update = vi.fn(() => Promise.resolve());
  readonly active = { postMessage: vi.fn() };
  readonly register = vi.fn(() => Promise.resolve({ update: this.update }));
  readonly ready = Promise.resolve({ active: this.active });
}

let workers: Workers;
const dropped = vi.fn(() => Promise.resolve(true));

beforeEach(() => {
  workers = new Workers();
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("caches", { delete: dropped });
  Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
  offline.newer = false;
  dropped.mockClear();
  localStorage.clear();
});
afterEach(() => void vi.unstubAllGlobals());

test("a page that takes over from another one is announced", async () => {
  workers.controller = {};
  await offline.begin();
  workers.dispatchEvent(new Event("controllerchange"));
  expect(offline.newer).toBe(true);
});

test("the first worker of a browser is no news", async () => {
  await offline.begin();
  workers.dispatchEvent(new Event("controllerchange"));
  expect(offline.newer).toBe(false);
});

test("without TLS nothing is registered", async () => {
  vi.stubGlobal("isSecureContext", false);
  await offline.begin();
  expect(workers.register).not.toHaveBeenCalled();
});

test("a newer page is looked for when the server is back, but not all the time", async () => {
  vi.useFakeTimers({ now: 0 });
  await offline.begin();
  await offline.look();
  expect(workers.update).not.toHaveBeenCalled();
  vi.setSystemTime(61_000);
  await offline.look();
  await offline.look();
  expect(workers.update).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test("what is stored of another user is dropped, and of the same one kept", async () => {
  await storeOnlyFor("ada");
  await storeOnlyFor("ada");
  expect(dropped).toHaveBeenCalledTimes(1);
  await storeOnlyFor("bo");
  expect(dropped).toHaveBeenCalledTimes(2);
});
