import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import Notice from "../../src/table/Notice.svelte";
import ObstacleNotice from "../../src/table/ObstacleNotice.svelte";
import { FakeSocket } from "../fake-socket";
import { click, liveTable, show } from "../mounted";
import { welcome } from "../sample";

const PASS = { do: "pass", player: 0 } as const;

beforeAll(() => loadLanguage("en"));
beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** Show both notices at a table whose connection is lost. */
function lost() {
  const [table, socket] = liveTable();
  const { box } = show(ObstacleNotice, table, { live: table, what: "lost" });
  const refused = show(Notice, table).box;
  vi.spyOn(Math, "random").mockReturnValue(1);
  socket.lose();
  flushSync();
  const words = (of: HTMLElement): string => (flushSync(), of.textContent.replace(/\s+/gu, " ").trim());
  return { table, box, told: () => words(box), refused: () => words(refused) };
}

test("a lost connection tells how long until the next try", async () => {
  const { told } = lost();
  expect(told()).toContain("Next try in 1 s.");
  for (let tries = 0; tries < 5; tries += 1) {
    await vi.advanceTimersByTimeAsync(9000);
    FakeSocket.all.at(-1)?.lose();
  }
  expect(told()).toContain("Next try in 8 s.");
  await vi.advanceTimersByTimeAsync(3000);
  expect(told()).toContain("Next try in 5 s.");
});

test("the button tries at once, also while a try hangs", () => {
  const { table, box } = lost();
  click(box, "[data-try-now]");
  click(box, "[data-try-now]");
  expect(FakeSocket.all).toHaveLength(3);
  FakeSocket.all.at(-1)?.hear(welcome());
  expect(table.connection).toBe("open");
});

test("what is done without a connection is told in the one notice", async () => {
  const { table, told, refused } = lost();
  await table.act(PASS);
  expect([told().includes("Nothing can be done without a connection."), refused()]).toEqual([true, ""]);
});

test("what waits to be sent is told", () => {
  const { table, told } = lost();
  void table.act({ do: "decline-offer", player: 0, offer: 1, revision: 1 });
  expect(told()).toContain("What you did last is sent once the connection is back.");
});
