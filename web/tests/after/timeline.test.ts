import { describe, expect, it } from "vitest";
import { Timeline, timelineOf } from "../../src/after/timeline";
import type { AnyReplayFrame, ReplayEntry, ReplayStart, ShownEvent } from "../../src/generated/protocol";

const player = (coins: number) => ({
  hand_size: 5,
  fields: [[], []],
  coins,
  treasury: [],
  set_aside: [],
  bonus_hand: 0,
  bonus_claimed: [],
});
const start = {
  type: "replay",
  table: "t",
  record: null,
  entries: 0,
  names: ["A", "B"],
  bots: [null, "pk"],
  at: 1000,
  result: null,
  seat: 0,
  worth: [
    [null, null],
    [null, null],
  ],
  open_hands: [[1], [2]],
  game: { turn: 1, draw_pile: 90, players: [player(0), player(0)] },
} as unknown as ReplayStart;

const turn: ShownEvent = { event: "turn-began", player: 0, leftovers: [] };
const sold: ShownEvent = { event: "harvested", player: 1, field: 0, coins: [2], discards: [2] };
const said: ShownEvent = { event: "offer-withdrawn", offer: 3 };

/** A game of `count` entries: each draws a card; every 10th harvests, every 25th begins a turn, odd ones are hidden. */
function game(count: number): Timeline {
  const entries = Array.from({ length: count }, (_, seq): ReplayEntry => {
    if (seq === 0) return { type: "entry", seq, events: [turn] };
    if (seq % 2 === 1) return { type: "entry", seq };
    const events = seq % 10 === 0 ? [sold] : seq % 50 === 0 ? [turn] : [said];
    return {
      type: "entry",
      seq,
      at: 1000 + seq,
      by: 1,
      cause: "bot",
      events,
      view: { draw_pile: 90 - seq, players: { 1: player(seq) } },
      open_hands: { 1: [seq as 1] },
    };
  });
  return new Timeline(start, entries);
}

describe("a timeline", () => {
  it("stops where something is to be seen", () => {
    expect(game(7).stops).toEqual([0, 2, 4, 6]);
  });

  it("has every moment, however far, with what did not change", () => {
    const timeline = game(300);
    expect(timeline.moment(298).view.draw_pile).toBe(90 - 298);
    expect(timeline.moment(299).view.players[1]?.coins).toBe(298);
    expect(timeline.moment(64).view.players[0]?.coins).toBe(0);
    expect(timeline.moment(0).view.draw_pile).toBe(90);
    expect(timeline.moment(130).hands).toEqual([[1], [130]]);
  });

  it("finds the stop at or before an entry", () => {
    const timeline = game(20);
    expect([timeline.stopAt(0), timeline.stopAt(5), timeline.stopAt(6), timeline.stopAt(999)]).toEqual([
      0, 2, 3, 9,
    ]);
  });

  it("jumps to the next and the last moment of a kind", () => {
    const timeline = game(60);
    expect(timeline.jump(4, "harvest", 1)).toBe(10);
    expect(timeline.jump(20, "harvest", -1)).toBe(10);
    expect(timeline.jump(50, "harvest", 1)).toBeNull();
    expect(timeline.jump(4, "turn", -1)).toBe(0);
  });

  it("tells what had happened, and no more of it than is wanted", () => {
    const timeline = game(20);
    expect(timeline.log(4, 600).map((happening) => happening.seq)).toEqual([0, 2, 4]);
    expect(timeline.log(4, 2).map((happening) => happening.seq)).toEqual([2, 4]);
    expect(timeline.log(4, 1)[0]?.by).toBe(timeline.batch(4).by);
  });

  it("gives an entry as a batch without what is not in it", () => {
    expect(game(3).batch(1)).toEqual({ type: "batch", seq: 1 });
    expect(Object.keys(game(3).batch(2)).sort()).toEqual([
      "at",
      "by",
      "cause",
      "events",
      "seq",
      "type",
      "view",
    ]);
  });

  it("knows talk about offers from what matters", () => {
    const timeline = game(12);
    expect([timeline.isMinor(2), timeline.isMinor(10)]).toEqual([true, false]);
  });

  it("is none without its first line", () => {
    const frames: AnyReplayFrame[] = [{ type: "entry", seq: 0, events: [] }];
    expect(timelineOf(frames)).toBeNull();
    expect(timelineOf([start, ...frames])?.last).toBe(0);
  });
});
