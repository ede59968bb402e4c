import { beforeAll, expect, test } from "vitest";
import { prompt } from "../../../src/board/bar/prompt";
import type { Targets } from "../../../src/board/targets.svelte";
import type { OfferView, Room, View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { TableModel } from "../../../src/lib/model.svelte";
import { offer, takingAll, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));

const NOTHING_HELD = { held: null, undoable: false } as Targets;
const { room } = welcome();
if (room === undefined) throw new Error("a welcome has a room");

/** What seat 0 is told in a trading of seat `active` while a last call runs. */
function called(
  active: number,
  offers: readonly OfferView[],
  last_call: Room["last_call"] = CALL,
  changes: Partial<Room> = {},
  passes: readonly number[] = [],
): string {
  const table = new TableModel();
  const phase = { phase: "trade", face_up: [], offers, passes } as const;
  const game = view({ active_player: active, waiting: [active], phase });
  table.welcome(
    welcome({ game, choices: takingAll(game), room: { ...room, last_call, ...changes } as Room }),
  );
  return prompt(table, NOTHING_HELD).text;
}
const CALL = { turn: 3, until: 8000, prolonged: false, announced: 0 };

test("before a last call the prompt asks for trades", () => {
  expect(called(0, [], null)).toBe("Trade as you like, then end trading.");
  expect(called(1, [], null)).toBe("Bert is trading. Choose cards of yours to offer.");
});

test("whoever is done with his own trading is not asked to end it", () => {
  const said = "You are done here; make an offer if you change your mind.";
  expect(called(0, [], null, { done: [0] })).toBe(said);
  expect(called(0, [], null, {}, [0])).toBe(said);
});

test("whoever counts as done since he waited is told why", () => {
  const table = new TableModel();
  const phase = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
  const game = view({ active_player: 1, waiting: [1], phase });
  table.welcome(welcome({ game, choices: takingAll(game), enough: [0] }));
  const waited = { ...NOTHING_HELD, countedDone: true } as Targets;
  expect(prompt(table, waited).text).toBe(
    "You waited a while, so you count as done; you can still make an offer.",
  );
});

test("in a last call the prompt says that the others may still answer, and asks for no trades", () => {
  expect(called(0, [])).toBe("Last call: the others may still answer.");
});

test("in a last call whoever has nothing to answer reads what he can do", () => {
  expect(called(1, [])).toBe("Last call: you can still make an offer.");
});

test("in a last call the prompt counts what waits for an answer", () => {
  const theirs = offer({ id: 4, maker: 1, to: [0], hand: [2], want: [8] });
  expect(called(1, [theirs])).toBe("Last call: an offer is waiting for you.");
});

test("in a last call the prompt asks to choose among those who would take an offer", () => {
  const mine = offer({ id: 5, maker: 0, to: [1, 2], open: true, claimers: [2] });
  expect(called(0, [mine])).toBe("Last call: choose who gets your offer.");
});

test("the prompt names the only one who wants an offer", () => {
  const mine = offer({ id: 5, maker: 0, to: [1, 2], open: true, claimers: [2] });
  expect(called(0, [mine], null)).toBe("Chiyo says yes: confirm.");
});

type Cards = View["players"][number]["set_aside"];

/** What seat 0 is told that has set these cards aside, and whether any of them fits a field. */
function planting(
  set_aside: Cards,
  mindsOrder = false,
  fields: readonly Cards[] = [[], []],
  fits = true,
): string {
  const table = new TableModel();
  const base = view({ phase: { phase: "plant-traded" }, waiting: [0] });
  const game = {
    ...base,
    players: base.players.map((player, seat) => (seat === 0 ? { ...player, set_aside, fields } : player)),
  };
  table.welcome(welcome({ game }));
  const targets = {
    ...NOTHING_HELD,
    sources: fits ? [{}] : [],
    room: null,
    mindsOrder,
  } as unknown as Targets;
  return prompt(table, targets).text;
}

test("who may lose a field by the wrong order is told so before", () => {
  expect(planting([3, 7], true)).toBe(
    "Choose a card, or harvest a lone bean first: later it may be protected.",
  );
});

test("where one bean is alone and no card joins it, it is named", () => {
  expect(planting([3, 7], true, [[3], [5]])).toBe(
    "Choose a card, or harvest the green bean first: later it may be protected.",
  );
  expect(planting([3, 7], true, [[4], [5]])).toMatch(/harvest a lone bean first/);
});

test("who has set one card aside is told of no order", () => {
  expect(planting([3])).toBe("Plant the card you have set aside.");
  expect(planting([3, 7])).toBe("Plant what you have set aside, in any order.");
});

test("who has no room for what he has set aside reads which kinds", () => {
  expect(planting([3, 7], false, [[4], [5]], false)).toMatch(/^No room for black-eyed and chili\. /);
});

test("a promise whose time has come stands where else one reads what one may do", () => {
  const said = (active: number, lesson: string | null = null): string => {
    const table = new TableModel();
    const phase = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
    const word = { id: 1, player: 1, to: 0, give: [3], get: [], due: "this-turn" } as const;
    const talk = { wishes: [], promises: [word], next_promise: 2 };
    const game = view({ active_player: active, waiting: [active], phase, talk });
    table.welcome(welcome({ game, choices: takingAll(game), room: { ...room, lesson } as Room }));
    return prompt(table, NOTHING_HELD).text;
  };
  const promised = "Remember: Bert promises you 1 black-eyed bean, this turn.";
  expect([said(0), said(1)]).toEqual([promised, promised]);
  expect(said(2)).toBe("Chiyo is trading. Choose cards of yours to offer.");
  expect(said(0, "first-game")).toBe("Trade as you like, then end trading.");
});
