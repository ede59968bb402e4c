import { expect, test } from "vitest";
import { mayReload } from "../../src/lib/reload";

test("the page is loaded anew once, not again and again", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect([mayReload(1e6, storage), mayReload(1e6 + 5000, storage), mayReload(1e6 + 90_000, storage)]).toEqual(
    [true, false, true],
  );
});

test("without storage the page is not loaded anew", () => {
  const refuse = (): never => {
    throw new Error("no storage");
  };
  expect(mayReload(1e6, { getItem: refuse, setItem: refuse })).toBe(false);
});
