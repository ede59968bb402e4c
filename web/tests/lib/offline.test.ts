import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offline, store, storeMissing, storeUser } from "../../src/lib/offline.svelte";

/** The browser's side of service workers, as far as the page asks for it. */
class Workers extends EventTarget {
  controller: object | null = null;
  readonly update = vi.fn(() => Promise.resolve());
  readonly active = { postMessage: vi.fn() };
  readonly register = vi.fn(() => Promise.resolve({ update: this.update }));
  readonly ready = Promise.resolve({ active: this.active });
}

let workers: Workers;
const here = new Set<string>();
const fetched = vi.fn((path: string) => Promise.resolve(new Response(path)));

beforeEach(() => {
  workers = new Workers();
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("caches", {
    match: (path: string) => Promise.resolve(here.has(path) ? new Response() : undefined),
  });
  vi.stubGlobal("fetch", fetched);
  Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
  offline.newer = false;
  document.documentElement.dataset["build"] = "present";
  here.clear();
  fetched.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The paths that were asked for. */
const asked = (): string[] => fetched.mock.calls.map(([path]) => path);

test("a worker of another build announces a newer page, in the tab of the first visit too", async () => {
  await offline.begin();
  workers.dispatchEvent(new MessageEvent("message", { data: "newer" }));
  expect(offline.newer).toBe(true);
});

test("a worker of the build that is shown is no news, though an older one was there", async () => {
  workers.controller = {};
  await offline.begin();
  workers.dispatchEvent(new Event("controllerchange"));
  workers.dispatchEvent(new MessageEvent("message", { data: "present" }));
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
});

test("rules are fetched once in every page, whether they are stored or not", async () => {
  workers.controller = {};
  here.add("/api/rules");
  await store(["/api/rules", "/api/catalog"]);
  await store(["/api/catalog"]);
  expect(asked()).toEqual(["/api/rules", "/api/catalog"]);
});

test("games that are stored are not fetched again, and others a second apart", async () => {
  vi.useFakeTimers();
  workers.controller = {};
  here.add("/stored");
  void storeMissing(["/stored", "/one", "/two"]);
  await vi.advanceTimersByTimeAsync(999);
  expect(asked()).toEqual(["/one"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual(["/one", "/two"]);
});

test("when the server has been asked too often nothing more is fetched", async () => {
  workers.controller = {};
  fetched.mockResolvedValueOnce(new Response(null, { status: 429 }));
  await storeMissing(["/one", "/two"]);
  expect(asked()).toEqual(["/one"]);
});

test("the worker hears who uses the browser, where there is a worker", async () => {
  await storeUser();
  expect(asked()).toEqual([]);
  workers.controller = {};
  await storeUser();
  expect(asked()).toEqual(["/api/me"]);
});
