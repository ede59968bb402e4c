import { beforeAll, expect, test } from "vitest";
import type { ShownEvent, View } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { needs, needsCount } from "../../src/table/needs";
import { soundOf } from "../../src/table/sounds.svelte";
import { tones } from "../../src/table/synth";
import { batch, offer, takingAll, view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

const harvest = (player: number, coins: number): ShownEvent => ({
  event: "harvested",
  player,
  field: 0,
  coins: Array.from({ length: coins }, () => 2),
  discards: [],
});
const trade = (offers: readonly ReturnType<typeof offer>[]): View =>
  view({ phase: { phase: "trade", face_up: [], offers, passes: [] } });

test("an offer to the viewer is heard, one among others is not", () => {
  expect(
    soundOf(batch({ events: [{ event: "offer-shown", offer: offer(), edited: false }] }), view(), view(), 0)
      ?.sound,
  ).toBe("offer");
  expect(
    soundOf(
      batch({ events: [{ event: "offer-shown", offer: offer({ to: [2] }), edited: false }] }),
      view(),
      view(),
      0,
    ),
  ).toBeNull();
});

test("a claim on an own offer is heard, one on another's is not", () => {
  const events: ShownEvent[] = [{ event: "claim-shown", offer: 1, revision: 1, player: 2 }];
  expect(soundOf(batch({ events }), null, trade([offer({ maker: 0, to: [1, 2] })]), 0)?.sound).toBe("offer");
  expect(soundOf(batch({ events }), null, trade([offer()]), 0)).toBeNull();
});

test("a harvest sounds by its coins, and another's from afar", () => {
  expect(soundOf(batch({ events: [harvest(0, 3)] }), view(), view(), 0)).toEqual({
    sound: "harvest",
    coins: 3,
    own: true,
  });
  expect(soundOf(batch({ events: [harvest(2, 1)] }), view(), view(), 0)).toMatchObject({ own: false });
  expect(tones("harvest", 3)).toHaveLength(3);
  expect(tones("harvest", 0)).toHaveLength(1);
});

test("of one batch the most urgent is heard, what is one's own before what others do", () => {
  const traded: ShownEvent = {
    event: "traded-shown",
    offer: 1,
    maker: 1,
    partner: 0,
    maker_hand: [8],
    maker_face_up: [],
    partner_hand: [2],
    partner_face_up: [],
    own: [[0, 2]],
  };
  expect(soundOf(batch({ events: [harvest(1, 4), traded] }), view(), view(), 0)?.sound).toBe("accepted");
});

test("one's turn is heard when it begins, and not by one's own deed", () => {
  const mine = view({ active_player: 0, phase: { phase: "plant", planted: 0 } });
  expect(soundOf(batch({ by: 1 }), view(), mine, 0)?.sound).toBe("turn");
  expect(soundOf(batch({ by: 0 }), view(), mine, 0)).toBeNull();
  expect(soundOf(batch({ by: 1 }), mine, mine, 0)).toBeNull();
});

test("who only watches hears no call", () => {
  expect(
    soundOf(
      batch({ by: 1 }),
      view(),
      view({ active_player: 0, phase: { phase: "plant", planted: 0 } }),
      null,
    ),
  ).toBeNull();
});

test("what waits for the viewer is counted: the turn, offers to him, and claims on his own", () => {
  const table = new TableModel();
  const game = trade([
    offer(),
    offer({ id: 2, to: [2] }),
    offer({ id: 3, maker: 0, to: [1], claimers: [1] }),
  ]);
  table.welcome(welcome({ game, choices: takingAll(game) }));
  expect(needs(table)).toMatchObject({ turn: false, offers: [{ id: 1 }], claimed: [{ id: 3 }] });
  expect(needsCount(needs(table))).toBe(2);
});

test("an offer that the viewer cannot take waits for nothing", () => {
  const table = new TableModel();
  table.welcome(welcome({ game: trade([offer()]) }));
  expect(needs(table).offers).toEqual([]);
});
