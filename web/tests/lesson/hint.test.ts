import { flushSync } from "svelte";
import { beforeAll, beforeEach, expect, test } from "vitest";
import Hint from "../../src/lesson/Hint.svelte";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { liveTable, show } from "../mounted";
import { batch, OWN, view } from "../sample";

beforeAll(() => loadLanguage("en"));
beforeEach(() => {
  localStorage.clear();
  // jsdom animates nothing
  Element.prototype.animate = () => ({ cancel: () => undefined }) as Animation;
});

const market = (active: number, turn: number) =>
  view({
    own: OWN,
    active_player: active,
    turn,
    phase: { phase: "trade", face_up: [], offers: [], passes: [] },
  });

test("a tip goes with the turn that it was about, and does not come again in that game", () => {
  const [table, socket] = liveTable({ game: market(0, 1) });
  const { box } = show(Hint, table);
  expect(box.querySelector(".tip")).not.toBeNull();
  const said = box.querySelector(".tip span")?.textContent;
  socket.hear(
    batch({ game: view({ own: OWN, active_player: 1, turn: 2, phase: { phase: "plant", planted: 0 } }) }),
  );
  flushSync();
  expect(box.querySelector(".tip")).toBeNull();
  socket.hear(batch({ seq: 12, game: market(0, 3) }));
  flushSync();
  expect(said).toBeDefined();
  expect(box.querySelector(".tip span")?.textContent, "it was there in this game").not.toBe(said);
});
