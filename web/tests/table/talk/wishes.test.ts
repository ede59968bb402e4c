import { afterEach, expect, test } from "vitest";
import type { ShownEvent, View } from "../../../src/generated/protocol";
import { endWishes } from "../../../src/table/talk/wishes";
import { liveTable } from "../../mounted";
import { batch, view } from "../../sample";

let end: (() => void) | undefined;
afterEach(() => end?.());

const NOTHING = { want: [], spare: [] };
const GAME: Partial<View> = {
  active_player: 0,
  talk: {
    wishes: [{ want: [8], spare: [2] }, { want: [3], spare: [] }, NOTHING],
    promises: [],
    next_promise: 1,
  },
};

/** Return the commands that the page sends of itself when this has happened. */
function sentAfter(...events: readonly ShownEvent[]): readonly unknown[] {
  const [table, socket] = liveTable({ game: view(GAME) });
  end = endWishes(table);
  socket.hear(batch({ events, view: view({ ...GAME, phase: { phase: "plant-traded" } }) } as never));
  return socket.sent.flatMap((frame) => ("command" in frame ? [frame.command] : []));
}

test("the viewer's wishes end with his own trading", () => {
  expect(sentAfter({ event: "trading-closed", player: 0 })).toEqual([
    { do: "set-wish", player: 0, bean: 8, mark: "none" },
    { do: "set-wish", player: 0, bean: 2, mark: "none" },
  ]);
});

test("the viewer's wishes outlast the trading of another player", () => {
  expect(sentAfter({ event: "trading-closed", player: 1 })).toEqual([]);
});
