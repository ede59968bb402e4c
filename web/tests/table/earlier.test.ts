import { expect, test, vi } from "vitest";
import type { LiveTable } from "../../src/lib/live.svelte";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import LogSheet from "../../src/table/sheets/LogSheet.svelte";
import { hasEarlier, loadBeginning, loadEarlier } from "../../src/table/earlier";
import { FakeSocket } from "../fake-socket";
import type { Bean } from "../../src/generated/protocol";
import { liveTable, show } from "../mounted";
import { view } from "../sample";

/** Answer what was asked for last with these batches; those of others tell nothing. */
function answer(from: number, to: number, told: readonly number[]): void {
  const socket = FakeSocket.all.at(-1);
  for (let seq = from; seq <= to; seq += 1) {
    const events = told.includes(seq) ? [{ event: "passed", player: 1 }] : [];
    socket?.hear({ type: "batch", seq, at: seq, events });
  }
  socket?.lose(1000);
}

const asked = (): string | undefined => FakeSocket.all.at(-1)?.url.split("after=")[1];
const seqs = (table: LiveTable): readonly number[] => table.log.map(({ seq }) => seq);

test("each time the batches before those that are there are loaded, though some tell nothing", async () => {
  const [table] = liveTable({ seq: 100 });
  let done = loadEarlier(table);
  expect(asked()).toBe("60");
  answer(61, 100, [90]);
  await done;
  expect([seqs(table), hasEarlier(table)]).toEqual([[90], true]);

  done = loadEarlier(table);
  expect(asked()).toBe("20");
  answer(21, 60, [30, 31]);
  await done;
  expect(seqs(table)).toEqual([30, 31, 90]);

  done = loadEarlier(table);
  expect(asked()).toBe("0");
  answer(1, 20, [1]);
  await done;
  expect([seqs(table), hasEarlier(table)]).toEqual([[1, 30, 31, 90], false]);
});

test("so much is loaded at first that the page can tell when each promise is due", async () => {
  const promise = { id: 1, player: 1, to: 0, give: [3 as Bean], get: [], due: "next-turn" as const };
  const game = view({ talk: { wishes: [], promises: [promise], next_promise: 2 } });
  const [table] = liveTable({ seq: 100, game });
  const done = loadBeginning(table);
  expect(asked()).toBe("60");
  answer(61, 100, [90]);
  await vi.waitFor(() => expect(asked()).toBe("20"));
  FakeSocket.all
    .at(-1)
    ?.hear({ type: "batch", seq: 50, at: 50, events: [{ event: "promise-made", promise }] });
  answer(51, 60, []);
  await done;
  expect(asked()).toBe("20");
  expect(hasEarlier(table)).toBe(true);
});

test("what a server no longer replays is not offered", async () => {
  const [table] = liveTable({ seq: 1000 });
  const done = loadEarlier(table);
  FakeSocket.all.at(-1)?.hear({ type: "welcome", fresh: true });
  FakeSocket.all.at(-1)?.lose(1000);
  await done;
  expect(hasEarlier(table)).toBe(false);
});

test("the log offers what was earlier, and loads it when that is pressed", async () => {
  await loadLanguage("en");
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.animate = () => ({ cancel() {}, finished: Promise.resolve() }) as unknown as Animation;
  const [table] = liveTable({ seq: 50 });
  const done = loadEarlier(table);
  answer(11, 50, [50]);
  await done;
  const { box } = show(LogSheet, table, { close: () => undefined });
  const earlier = (): HTMLButtonElement | null => document.querySelector("[data-earlier]");
  expect(earlier()?.textContent.trim()).toBe("Earlier");
  earlier()?.click();
  answer(1, 10, [3]);
  await vi.waitUntil(() => earlier() === null);
  expect(seqs(table)).toEqual([3, 50]);
  expect(box.isConnected).toBe(true);
});
