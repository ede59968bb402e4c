import { beforeAll, expect, test } from "vitest";
import { prompt } from "../../src/board/bar/prompt";
import type { Targets } from "../../src/board/targets.svelte";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { activityOf } from "../../src/table/status";
import { liveTable } from "../mounted";
import { view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

/** Return what is told of the second player, whose turn it is, while these are here. */
function told(present: readonly number[]): readonly (string | undefined)[] {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({ ...seat, user: `u${place}`, bot: null }));
  const [table] = liveTable({
    room: { ...room, seats },
    user: "u0",
    present,
    people: { u1: { name: "Bert", bot: false } },
    game: view({ phase: { phase: "plant", planted: 0 }, active_player: 1, waiting: [1] }),
  });
  return [activityOf(table, 1)?.text, prompt(table, {} as Targets).text];
}

test("who is away and waited for does not think: he is away", () => {
  expect(told([0])).toEqual(["away", "Waiting for Bert, who is away"]);
});

test("who is here thinks", () => {
  expect(told([0, 1])).toEqual(["thinks", "Waiting for Bert"]);
});
