import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import Closing from "../../../src/board/bar/Closing.svelte";
import type { Room, View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { loadOverDays, overDays } from "../../../src/lib/overdays.svelte";
import { click, liveTable, show } from "../../mounted";
import { offer, takingAll, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));
beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

const END = { do: "end-trading", player: 0 } as const;
const { room, choices } = welcome();
if (room === undefined) throw new Error("a welcome has a room");

function trading(claimers: readonly number[]): View {
  const offers = [offer({ maker: 0, to: [1, 2], open: true, claimers })];
  return view({ active_player: 0, phase: { phase: "trade", face_up: [], offers, passes: [] } });
}

function closing(claimers: readonly number[], last_call: Room["last_call"]) {
  const [table, socket] = liveTable({
    game: trading(claimers),
    room: { ...room, last_call },
    choices: choices === null ? null : { ...choices, legal: [END] },
  });
  const { box } = show(Closing, table);
  return { box, socket };
}

test("the ring of a last call runs as long as the server lets it", () => {
  const { box } = closing([], { turn: 3, until: 8000, prolonged: false, announced: 0 });
  expect(box.querySelector<HTMLElement>(".ring")?.style.getPropertyValue("--left")).toBe("8000ms");
});

test("the ring of a last call keeps its length when the room changes for another reason", async () => {
  const last_call = { turn: 3, until: 8000, prolonged: false, announced: 0 };
  const { box, socket } = closing([], last_call);
  await vi.advanceTimersByTimeAsync(4000);
  socket.hear({ ...welcome(), game: trading([]), now: 4000, room: { ...room, last_call, host: "bert" } });
  flushSync();
  expect(box.querySelector<HTMLElement>(".ring")?.style.getPropertyValue("--left")).toBe("8000ms");
});

const CALL = { turn: 3, until: 15_000, prolonged: false, announced: 0 };
const theirs = (): View =>
  view({ active_player: 1, phase: { phase: "trade", face_up: [], offers: [], passes: [] } });
const said = (box: HTMLElement): string => box.querySelector(".state")?.textContent.trim() ?? "";

test("without a clock nobody is counted down, in a last call neither: its line says what ends", () => {
  const { box } = show(Closing, liveTable({ game: theirs(), room: { ...room, last_call: CALL } })[0]);
  expect(said(box)).toBe("Bert ends trading. Last call!");
  expect(box.querySelectorAll(".ring")).toHaveLength(1);
  expect(said(closing([], CALL).box)).toBe("Last call…");
});

test("with a clock the seconds of a last call are counted", () => {
  const options = { ...room.options, clock: "slow" } as const;
  const { box } = show(
    Closing,
    liveTable({ game: theirs(), room: { ...room, options, last_call: CALL } })[0],
  );
  expect(said(box)).toBe("Bert ends trading in 15 s.");
});

test("while nothing waits for the viewer a quiet line says what becomes of the market, and nothing runs", async () => {
  const { box } = show(Closing, liveTable({ game: theirs() })[0]);
  await vi.advanceTimersByTimeAsync(3_000);
  flushSync();
  expect(said(box)).toBe("If you do nothing, trading will end.");
  expect(box.querySelector(".ring, .say, [role='timer']")).toBeNull();
});

test("whoever is done at the next check may take that back and not pass, and all who are done are named", async () => {
  loadOverDays();
  await vi.waitUntil(() => overDays.part !== null);
  const PASS = { do: "pass", player: 0 } as const;
  const [table, socket] = liveTable({
    game: trading([]),
    room: { ...room, done: [0, 2], options: { ...room.options, clock: "12h" } },
    choices: choices === null ? null : { ...choices, legal: [PASS] },
  });
  const { box } = show(Closing, table);
  expect([...box.querySelectorAll("button")].map((button) => button.textContent.trim())).toEqual([
    "I’m not done after all",
  ]);
  expect(box.querySelector(".done-by")?.textContent).toBe("Done: you and Chiyo");
  click(box, "[data-not-done]");
  expect(socket.sent.at(-1)).toMatchObject({ command: { do: "be-done", done: false } });
});

test("that nobody but the viewer is done is not told beside what the bar says of him", () => {
  const game = view({ active_player: 1, phase: { phase: "trade", face_up: [], offers: [], passes: [0] } });
  expect(show(Closing, liveTable({ game })[0]).box.textContent).not.toContain("Done:");
  const both = view({ active_player: 1, phase: { phase: "trade", face_up: [], offers: [], passes: [0, 2] } });
  expect(show(Closing, liveTable({ game: both })[0]).box.textContent).toContain("Done: you and Chiyo");
});

test("a market of a computer player says that an offer waits, and who ends it in a last call", () => {
  const bot = room.seats.map((seat, at) => (at === 1 ? { ...seat, bot: "strong" } : seat));
  const asked = offer({ maker: 1, to: [0], want: [] });
  const game = view({
    active_player: 1,
    phase: { phase: "trade", face_up: [], offers: [asked], passes: [] },
  });
  const saidIn = (last_call: Room["last_call"]): string => {
    const [table] = liveTable({ game, room: { ...room, seats: bot, last_call }, choices: takingAll(game) });
    return said(show(Closing, table).box);
  };
  expect(saidIn(null)).toBe("Yours to answer until somebody is faster.");
  expect(saidIn(CALL)).toBe("Bert ends trading. Last call!");
});

test("an offer that has just come to the viewer is not counted down", async () => {
  const seats = room.seats.map((seat, at) => (at === 0 ? seat : { ...seat, bot: "strong" }));
  const asked = offer({ maker: 1, to: [0], want: [] });
  const game = view({
    active_player: 1,
    phase: { phase: "trade", face_up: [], offers: [asked], passes: [] },
  });
  const [table, socket] = liveTable({ seq: 1, game, room: { ...room, seats } });
  socket.hear({
    type: "batch",
    seq: 2,
    at: welcome().now,
    cause: "bot",
    by: 1,
    events: [{ event: "offer-shown", offer: asked, edited: false }],
    ...takingAll(game),
  });
  const { box } = show(Closing, table);
  for (const later of [0, 3_000, 8_000]) {
    await vi.advanceTimersByTimeAsync(later);
    flushSync();
    expect(said(box)).toBe("Yours to answer until somebody is faster.");
  }
});

test("a press meant for one market says nothing in the next, and one meant for that does", async () => {
  const game = (turn: number): View =>
    view({ turn, active_player: 1, phase: { phase: "trade", face_up: [], offers: [], passes: [] } });
  const [table, socket] = liveTable({ game: game(3) });
  const { box } = show(Closing, table);
  const button = (): HTMLElement | null => box.querySelector("[data-enough]");
  expect(button()?.style.pointerEvents).toBe("");
  socket.hear(welcome({ game: game(4) }));
  flushSync();
  expect(button()?.style.pointerEvents).toBe("none");
  await vi.advanceTimersByTimeAsync(500);
  expect(button()?.style.pointerEvents).toBe("");
  click(box, "[data-enough]");
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.sent.at(-1)).toMatchObject({ type: "sign", sign: "enough", turn: 4 });
});

test("while the market waits for the viewer no clock runs, in a last call neither", () => {
  const game = view({ active_player: 1, phase: { phase: "trade", face_up: [], offers: [], passes: [] } });
  const last_call = { turn: 3, until: 20_000, prolonged: false, announced: 0 };
  const { box, page } = show(Closing, liveTable({ game, room: { ...room, last_call } })[0]);
  page.stays = 3;
  flushSync();
  expect(box.querySelector(".ring")).toBeNull();
  expect(box.querySelector(".say")?.textContent.trim()).toBe("Trading is waiting for you.");
});

test("the question about claims waits for its answer, and another market asks it anew", async () => {
  const { box, socket } = closing([2], null);
  const asks = (): boolean => box.querySelector(".alert") !== null;
  const commands = (): unknown[] => socket.sent.flatMap(({ command }) => command ?? []);
  click(box, "[data-key='.']");
  await vi.advanceTimersByTimeAsync(8_000);
  expect([asks(), commands()]).toEqual([true, []]);
  const legal = choices === null ? null : { ...choices, legal: [END] };
  socket.hear(welcome({ game: { ...trading([2]), turn: 4 }, choices: legal }));
  flushSync();
  expect(asks()).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  click(box, "[data-key='.']");
  await vi.advanceTimersByTimeAsync(0);
  click(box, "[data-key='.']");
  expect(commands()).toEqual([END]);
});
