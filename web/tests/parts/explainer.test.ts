import { flushSync } from "svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import { clauses } from "../../src/lib/clauses.svelte";
import { explaining } from "../../src/lib/explain.svelte";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import Explainer from "../../src/parts/Explainer.svelte";
import { liveTable, show } from "../mounted";
import { batch, view } from "../sample";
import type { ClauseInfo } from "../../src/generated/protocol";

beforeAll(() => loadLanguage("en"));
afterEach(() => explaining.hide());

test("a clause is explained with what a house rule says, not with its key", () => {
  const [table] = liveTable();
  const text = "With closing=active the trading ends when the active player says so.";
  clauses.byId = new Map([["TRADE-11", { id: "TRADE-11", title: "The end", text } as ClauseInfo]]);
  const { box } = show(Explainer, table, {});
  explaining.show(box, { text: "", clause: "TRADE-11" }, true);
  flushSync();
  const said = document.body.textContent;
  expect(said).toContain("With “the active player ends trading” the trading ends");
  expect(said).not.toContain("closing=");
});

test("an explanation names no number of a rule, and leads to it where there is a sheet of rules", () => {
  const [table] = liveTable();
  const read: string[] = [];
  explaining.openRule = (clause) => void read.push(clause);
  const { box } = show(Explainer, table, {});
  explaining.show(box, { text: "Plant it.", clause: "TRADE-11" }, true);
  flushSync();
  expect(document.body.textContent).not.toContain("TRADE-11");
  document.querySelector<HTMLElement>(".note .rule")?.click();
  flushSync();
  expect(read).toEqual(["TRADE-11"]);
  expect(document.querySelector(".note")).toBeNull();
  explaining.openRule = null;
});

/** A box that tells why something could not be done, pinned by a press. */
function refused(): ReturnType<typeof liveTable> {
  const found = liveTable({ game: view({ turn: 1, phase: { phase: "plant", planted: 0 } }) });
  const { box } = show(Explainer, found[0], { table: found[0] });
  explaining.show(box, { text: "No.", why: { do: "reveal", player: 0 } }, true);
  flushSync();
  return found;
}

const isShown = (): boolean => {
  flushSync();
  return document.querySelector(".note") !== null;
};

test("what was asked by a press goes with the next key, but not with one that does nothing alone", () => {
  refused();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
  expect(isShown()).toBe(true);
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "o", bubbles: true }));
  expect(isShown()).toBe(false);
});

test("why something could not be done goes with a card that is planted", () => {
  const [table, socket] = refused();
  const players = table.view?.players.map((player, seat) =>
    seat === table.seat ? { ...player, hand_size: player.hand_size - 1 } : player,
  );
  socket.hear(batch({ seq: table.seq + 1, view: { players: players ?? [] } }));
  expect(isShown()).toBe(false);
});

test("why something could not be done goes once the game has gone on", () => {
  const [table, socket] = refused();
  expect(isShown()).toBe(true);
  socket.hear(batch({ seq: table.seq + 1, view: { phase: { phase: "plant-traded" } } }));
  expect(isShown()).toBe(false);
});
