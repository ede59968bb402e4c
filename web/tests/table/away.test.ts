import { beforeAll, expect, test } from "vitest";
import { prompt, type Prompt } from "../../src/board/bar/prompt";
import type { Targets } from "../../src/board/targets.svelte";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import type { LiveTable } from "../../src/lib/live.svelte";
import { activityOf } from "../../src/table/status";
import { liveTable } from "../mounted";
import { view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

/** Return a table at which the second player's turn is, while these are here. */
function tableOf(present: readonly number[], bot: string | null = null): LiveTable {
  const { room } = welcome();
  const seats = room.seats.map((seat, place) => ({
    ...seat,
    user: `u${place}`,
    bot: place === 1 ? bot : null,
  }));
  const [table] = liveTable({
    room: { ...room, seats },
    user: "u0",
    present,
    people: { u1: { name: "Bert", bot: false, handle: "" } },
    game: view({ phase: { phase: "plant", planted: 0 }, active_player: 1, waiting: [1] }),
  });
  return table;
}

function asked(present: readonly number[]): Prompt {
  return prompt(tableOf(present), {} as Targets);
}

/** Return what is told of the second player. */
function told(present: readonly number[]): readonly (string | undefined)[] {
  return [activityOf(tableOf(present), 1)?.text, asked(present).text];
}

test("who is away and waited for does not think: he is away", () => {
  expect(told([0])).toEqual(["away", "Waiting for Bert, who is away"]);
});

test("what is said of who is away leads to the people", () => {
  expect([asked([0]).away, asked([0, 1]).away]).toEqual([true, false]);
});

test("for whom a computer player plays is not waited for as one who is away", () => {
  const table = tableOf([0], "pk");
  expect([activityOf(table, 1)?.text, prompt(table, {} as Targets).text]).toEqual([
    "is thinking",
    "Waiting for Bert",
  ]);
});

test("who is here thinks", () => {
  expect(told([0, 1])).toEqual(["is thinking", "Waiting for Bert"]);
});
