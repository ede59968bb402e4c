import { beforeEach, expect, test, vi } from "vitest";
import { Asking } from "../../src/alerts/asking.svelte";
import type { AlertsInfo } from "../../src/generated/protocol";
import { Refusal } from "../../src/lib/http";

const info = (offered: AlertsInfo["offered"]): AlertsInfo =>
  ({ offered, channels: [] }) as unknown as AlertsInfo;

beforeEach(() => void vi.stubGlobal("isSecureContext", true)); // jsdom has none

test("what is answered is what is known, and an answer of nothing changes nothing", async () => {
  const asking = new Asking();
  expect(await asking.attempt(() => Promise.resolve(info(["mail"])))).toBe(true);
  expect(await asking.attempt(() => Promise.resolve(null))).toBe(true);
  expect(asking.info?.offered).toEqual(["mail"]);
});

test("a refusal is told until the next attempt, and what was known stays", async () => {
  const asking = new Asking();
  await asking.attempt(() => Promise.resolve(info(["mail"])));
  expect(await asking.attempt(() => Promise.reject(new Refusal("too-many", null, {}, 409)))).toBe(false);
  expect([asking.refusal?.reason, asking.busy, asking.info?.offered]).toEqual(["too-many", false, ["mail"]]);
  await asking.attempt(() => Promise.resolve(null));
  expect(asking.refusal).toBe(null);
});

test("nothing is asked for while something else is", async () => {
  const asking = new Asking();
  let answer: (found: AlertsInfo) => void = () => undefined;
  const first = asking.attempt(() => new Promise((resolve) => (answer = resolve)));
  expect(asking.busy).toBe(true);
  expect(await asking.attempt(() => Promise.resolve(info(["ntfy"])))).toBe(false);
  answer(info(["mail"]));
  await first;
  expect([asking.busy, asking.info?.offered]).toEqual([false, ["mail"]]);
});

test("what is chosen while something else is asked for is asked for after it", async () => {
  const asking = new Asking();
  let answer: (found: AlertsInfo) => void = () => undefined;
  const first = asking.attempt(() => new Promise((resolve) => (answer = resolve)));
  const second = asking.inTurn(() => Promise.resolve(info(["ntfy"])));
  const third = asking.inTurn(() => Promise.resolve(info(["hook"])));
  answer(info(["mail"]));
  expect(await Promise.all([first, second, third])).toEqual([true, true, true]);
  expect([asking.busy, asking.info?.offered]).toEqual([false, ["hook"]]);
});

test("a browser that does not have it is told to be in the way, and the server is not blamed", async () => {
  vi.stubGlobal("Notification", { permission: "granted", requestPermission: () => "granted" });
  const pushManager = {
    getSubscription: () => null,
    subscribe: () => Promise.reject(new DOMException("Registration failed", "AbortError")),
  };
  vi.stubGlobal("navigator", { serviceWorker: { ready: { pushManager } } });
  const asking = new Asking();
  await asking.attempt(() => Promise.resolve(info(["push"])));
  expect(await asking.turnOn()).toBe(false);
  expect([asking.obstacle, asking.refusal]).toEqual(["denied", null]);
});
