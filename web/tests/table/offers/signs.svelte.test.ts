import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ShownEvent, Welcome } from "../../../src/generated/protocol";
import { activityOf } from "../../../src/table/status";
import { giveSigns, isStaying, mayStay, sayDone } from "../../../src/table/offers/signs.svelte";
import { PageState } from "../../../src/table/state.svelte";
import { liveTable } from "../../mounted";
import { batch, offer, takingAll, view, welcome } from "../../sample";

const GAME = view({ active_player: 1, phase: { phase: "trade", face_up: [], offers: [], passes: [] } });
const { room } = welcome();

let end: (() => void) | undefined;

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  end?.();
  vi.useRealTimers();
});

/** Begin to give signs in the trading of a computer player; return the tray, and the signs that were given. */
function trading(changes: Partial<Welcome> = {}) {
  const [table, socket] = liveTable({ game: GAME, ...changes });
  const page = new PageState();
  const { selection } = page;
  end = $effect.root(() => giveSigns(page, table));
  flushSync();
  const given = (): readonly unknown[] =>
    socket.sent.filter(({ type }) => type === "sign").map((frame) => "sign" in frame && frame.sign);
  return { table, page, selection, socket, given };
}

test("the others know while the tray is open, and when it is put away", async () => {
  const { selection, given } = trading();
  selection.open = true;
  flushSync();
  await vi.advanceTimersByTimeAsync(11_000);
  selection.open = false;
  flushSync();
  expect(given()).toEqual(["composing", "composing", "composing", null]);
});

test("the others wait while a teacher explains, as for one who composes", async () => {
  const { page, given } = trading();
  page.explains = true;
  flushSync();
  await vi.advanceTimersByTimeAsync(6_000);
  page.explains = false;
  flushSync();
  expect(given()).toEqual(["composing", "composing", null]);
});

test("who goes on looking keeps the market open by the sign of composing, until he is done", async () => {
  const { page, table, given, socket } = trading();
  expect(mayStay(page, table)).toBe(true);
  page.stays = GAME.turn;
  flushSync();
  expect([isStaying(page, table), mayStay(page, table)]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(given()).toEqual(Array<string>(5).fill("composing"));
  void sayDone(page, table);
  await vi.advanceTimersByTimeAsync(0);
  expect(given().slice(5)).toEqual([null, "enough"]);
  expect(socket.sent.at(-1)).toMatchObject({ turn: GAME.turn });
});

test("who says that he is done stays done while the tray only stands open, until he goes on in it", async () => {
  const { page, table, selection, given } = trading();
  selection.open = true;
  flushSync();
  void sayDone(page, table);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(given()).toEqual(["composing", null, "enough"]);
  selection.want = [3];
  flushSync();
  expect(given().slice(3)).toEqual(["composing"]);
});

test("a market that waits no longer counts its viewer as done again, and does not wait for him once more", async () => {
  const { page, table, given, socket } = trading();
  page.stays = GAME.turn;
  flushSync();
  socket.hear({ type: "sign-given", id: socket.sent.at(-1)?.id ?? "", sign: null });
  await vi.advanceTimersByTimeAsync(0);
  expect([isStaying(page, table), mayStay(page, table)]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(14_100);
  expect(given()).toEqual(["composing", null, "enough"]);
});

test("the market of a person does not wait for who only looks at it", () => {
  const last_call = { turn: GAME.turn, until: 20_000, prolonged: false, announced: 0 };
  const seats = room.seats.map((seat, at) => (at === 1 ? { ...seat, user: "bert", bot: null } : seat));
  const one = trading({ room: { ...room, last_call } });
  expect(mayStay(one.page, one.table)).toBe(true);
  end?.();
  const { page, table } = trading({ room: { ...room, seats, last_call } });
  expect(mayStay(page, table)).toBe(false);
});

test("while the bar tells what he has missed the page does not say that he is done", async () => {
  const { page, given } = trading();
  page.missed = [{ offer: offer(), why: "closed", partner: null, beans: [] }];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toEqual([]);
});

test("in the first market of a game the page leaves a newcomer four times as long to read", async () => {
  const { given } = trading({ game: { ...GAME, turn: 1 } });
  await vi.advanceTimersByTimeAsync(39_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

test("who has done something in the first market has read it", async () => {
  const { given, socket } = trading({ game: { ...GAME, turn: 1 } });
  socket.hear(batch({ by: 0 }));
  flushSync();
  await vi.advanceTimersByTimeAsync(10_100);
  expect(given()).toEqual(["enough"]);
});

test("who has acted in a market has read it, and is left a shorter time", async () => {
  const { given, socket } = trading();
  socket.hear(batch({ by: 0 }));
  flushSync();
  await vi.advanceTimersByTimeAsync(9_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

/** An offer of one computer player to another, as the page hears of it. */
const told = (seq: number) =>
  batch({ seq: 10 + seq, by: 1, events: [{ event: "offer-shown" } as unknown as ShownEvent] });

test("each offer of others leaves two seconds more to read it, counted from the last press", async () => {
  const { given, socket } = trading();
  await vi.advanceTimersByTimeAsync(5_000);
  socket.hear(told(1));
  flushSync();
  await vi.advanceTimersByTimeAsync(10_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

test("a no to an own offer leaves the whole time to make a better one", async () => {
  const { given, socket } = trading();
  socket.hear(batch({ by: 0 }));
  flushSync();
  await vi.advanceTimersByTimeAsync(5_000);
  const no = { event: "offer-declined", offer: 1, revision: 1, maker: 0, player: 1 } as const;
  socket.hear(batch({ seq: 12, by: 1, events: [no] }));
  flushSync();
  await vi.advanceTimersByTimeAsync(9_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

test("a busy market is read for eighteen seconds at most", async () => {
  const { given, socket } = trading();
  for (let seq = 1; seq < 9; seq++) socket.hear(told(seq));
  flushSync();
  await vi.advanceTimersByTimeAsync(17_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

test("at a table without other people the page says after a while that the viewer has traded enough", async () => {
  const { given } = trading();
  await vi.advanceTimersByTimeAsync(13_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

test("who presses something looks at it still: the time begins anew", async () => {
  const { given } = trading();
  for (const kind of ["pointerdown", "keydown"]) {
    await vi.advanceTimersByTimeAsync(13_000);
    window.dispatchEvent(new Event(kind));
    flushSync();
  }
  await vi.advanceTimersByTimeAsync(13_900);
  expect(given()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(given()).toEqual(["enough"]);
});

test("whose tray is put away with a draft in it has not traded enough", async () => {
  const { given, selection } = trading();
  selection.hand = [0];
  flushSync();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toEqual([]);
});

test("it takes as long as the pace of the table says", async () => {
  const options = { ...room.options, pace: "brisk" } as const;
  const { given } = trading({ room: { ...room, options } });
  await vi.advanceTimersByTimeAsync(7_100);
  expect(given()).toEqual(["enough"]);
});

test("where another person plays the page says nothing for the viewer", async () => {
  const seats = room.seats.map((seat) => ({ ...seat, user: "u", bot: null }));
  const { given } = trading({ room: { ...room, seats } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toEqual([]);
});

test("while an offer waits that the viewer can take, or his tray is open, he has not traded enough", async () => {
  const game = view({
    active_player: 1,
    phase: { phase: "trade", face_up: [], offers: [offer()], passes: [] },
  });
  const { given, socket, selection } = trading({ game, choices: takingAll(game) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toEqual([]);
  selection.open = true;
  flushSync();
  socket.hear(welcome({ game: GAME }));
  flushSync();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).not.toContain("enough");
});

test("whose tab is hidden has not traded enough", async () => {
  const { given, page } = trading();
  page.away = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toEqual([]);
});

test("who composes in another window has not traded enough", async () => {
  const { given, table, socket } = trading();
  socket.hear({ type: "signs", composing: [table.seat ?? -1], enough: [] });
  flushSync();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toEqual([]);
});

test("without a connection nobody is told, and the time begins anew when it is back", async () => {
  const { given, socket } = trading();
  await vi.advanceTimersByTimeAsync(5_000);
  socket.lose();
  flushSync();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(given()).toEqual([]);
});

test("somebody who composes is said to, beside his name", () => {
  const { table, socket } = trading();
  socket.hear({ type: "signs", composing: [2], enough: [] });
  expect(activityOf(table, 2)?.busy).toBe(true);
});
