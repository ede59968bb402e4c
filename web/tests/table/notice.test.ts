import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import type { Person } from "../../src/generated/protocol";
import Notice from "../../src/table/Notice.svelte";
import { liveTable, show } from "../mounted";
import { batch, view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));
beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** Show the notice at a table of people without a clock that wait for another one, after a silence of so long. */
function noticed(silence: number, called: readonly string[] = [], waiting: readonly number[] = [1]) {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const [table, socket] = liveTable({
    room: { ...room, seats, quiet_since: -silence, called },
    user: "u0",
    people: { u2: { name: "Chiyo" } as Person },
    game: view({ active_player: waiting[0] ?? 0, waiting }),
  });
  const { box } = show(Notice, table);
  return { socket, words: () => (flushSync(), box.textContent.trim()) };
}

test("a long silence is told", async () => {
  const { words } = noticed(119_000);
  expect(words()).toBe("");
  await vi.advanceTimersByTimeAsync(2000);
  expect(words()).toContain("No moves for 2 minutes. Have the computer move");
});

test("a silence ends with a move, and not with what only some may see", () => {
  const { socket, words } = noticed(190_000);
  socket.hear(batch({ events: [] }));
  socket.hear({ type: "batch", seq: 12 });
  expect(words()).toContain("No moves for 3 minutes. Have the computer move");
  socket.hear(batch({ seq: 13, quiet_since: 0 }));
  expect(words()).toBe("");
});

test("a silence is not told while somebody composes an offer", () => {
  const { socket, words } = noticed(190_000);
  expect(words()).toContain("No moves for 3 minutes.");
  socket.hear({ type: "signs", composing: [1], enough: [] });
  expect(words()).toBe("");
  socket.hear({ type: "signs", composing: [], enough: [] });
  expect(words()).toContain("No moves for 3 minutes.");
});

test("who else has asked to move on is named, the viewer is not", () => {
  expect(noticed(190_000).words()).not.toContain("Asked to move on");
  expect(noticed(190_000, ["u2"]).words()).toContain("Asked to move on: Chiyo.");
  expect(noticed(190_000, ["u0"]).words()).not.toContain("Asked to move on");
});

test("whoever is waited for himself reads that the table waits, and who has asked to move on", () => {
  const words = noticed(190_000, ["u2"], [0]).words();
  expect(words).toContain("The table has been waiting for you for 3 minutes.");
  expect(words).toContain("Asked to move on: Chiyo.");
  expect(words).toContain("Move now, or the computer soon does it for you.");
  expect(words).not.toContain("Have the computer move");
  expect(noticed(190_000, [], [0]).words()).not.toContain("Move now");
});

test("another host is told of until that is closed, and then no more", () => {
  localStorage.clear();
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const people = { u0: { name: "Anna" } as Person, u2: { name: "Chiyo" } as Person };
  const [table, socket] = liveTable({
    room: { ...room, seats, host: "u0" },
    user: "u1",
    people,
    game: view(),
  });
  const { box } = show(Notice, table);
  const words = (): string => (flushSync(), box.textContent.trim());
  expect(words()).toBe("");

  socket.hear(
    batch({ events: [{ event: "host-passed", user: "u2" }], room: { ...room, seats, host: "u2" } }),
  );
  expect(words()).toBe("Chiyo is the host now.");
  const { box: later } = show(Notice, table); // as after a reload
  expect(later.textContent.trim()).toBe("Chiyo is the host now.");

  box.querySelector<HTMLElement>("button")?.click();
  expect(words()).toBe("");
  const { box: last } = show(Notice, table);
  expect(last.textContent.trim()).toBe("");
});
