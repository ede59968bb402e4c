import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Offer, OfferView, Problem, Reason, Rules, ShownEvent } from "../src/generated/protocol";
import { speak } from "../src/lib/i18n.svelte";
import { TableModel } from "../src/lib/model.svelte";
import { reasonText } from "../src/lib/reasons";
import { tell } from "../src/lib/sentences";
import { OWN, view, welcome } from "./sample";

type Sent = Readonly<Record<string, unknown>>;

/** What the rules send with each reason, in each of its forms. */
const REASONS: Readonly<Record<Reason, readonly Sent[]>> = {
  "not-in-this-phase": [
    { phase: "plant-traded", command: "pick", expected: ["buy-field", "harvest", "make-promise", "plant-set-aside", "set-wish", "withdraw-promise"] },
    { phase: "gift", command: "plant", expected: ["set-wish"] },
  ],
  "game-over": [{}], "unknown-player": [{ player: 4, expected: [0, 1, 2] }], "not-active-player": [{ active: 1 }], "no-such-field": [{ field: 3, fields: 3 }],
  "no-such-place": [{ place: 0, cards: 0 }, { place: 4, cards: 2 }], "hand-changed": [{ revision: 2 }, { place: 2, revision: 2 }], "same-card-twice": [{}],
  "unknown-bean": [{ bean: "cocoa", cards: 0 }, { bean: "coffee" }], "hand-empty": [{}], "must-plant-first": [{}], "two-planted-already": [{}],
  "does-not-fit": [{ bean: "soy", field: 0 }], "must-join": [{ bean: "black_eyed", field: 1 }], "field-empty": [{ field: 1 }], "single-bean-protected": [{ field: 0 }],
  "own-turn-only": [{ field: 0 }], "no-field-for-sale": [{ price: 0, coins: 6 }], "field-limit": [{ price: 2, coins: 2 }],
  "not-enough-coins": [{ price: 3, coins: 2 }, { price: 1, coins: 0 }], "wrong-payment": [{ price: 3 }], "nothing-for-nothing": [{}],
  "unknown-addressee": [{ expected: [1, 2] }], "active-player-missing": [{ active: 1 }], "face-up-not-yours": [{ active: 1 }], "too-many-offers": [{ limit: 6 }],
  "want-too-many": [{ bean: "red", cards: 8 }], "no-such-offer": [{ offer: 1, expected: [] }, { offer: 1, expected: [2, 3] }], "old-revision": [{ offer: 1, revision: 2 }],
  "not-addressed": [{ offer: 1, to: [1, 2] }], "not-your-offer": [{ offer: 1, maker: 1 }], "offer-is-open": [{ offer: 1 }], "offer-is-direct": [{ offer: 1 }, { active: 1 }],
  "wrong-copies": [{ offer: 1, want: ["red", "red", "soy"] }, { want: ["soy"] }], "already-claimed": [{ offer: 1 }],
  "no-such-claim": [{ offer: 1, expected: [] }, { offer: 1, expected: [1, 2] }], "already-declined": [{ offer: 6 }], "already-passed": [{}],
  "active-player-closes": [{ active: 1 }], "all-must-pass": [{}], "discard-before-planting": [{}], "not-your-word": [{ word: 1 }],
  "kind-named-already": [{ bean: "soy", expected: ["garden", "black_eyed", "blue"] }], "cannot-refuse-last-kind": [{}], "nothing-named": [{}], "no-gift-to-plant": [{}],
  "rest-must-be-planted": [{}], "no-such-bonus": [{ bonus: 1, expected: [0] }, { bonus: 1, expected: [] }], "pattern-never-stood": [{ bonus: 0 }],
  "bonus-already-decided": [{}, { expected: [1] }], "wish-unchanged": [{ bean: "green", mark: "want" }], "promise-empty": [{}], "too-many-promises": [{ limit: 12 }],
  "no-such-promise": [{ promise: 1, expected: [] }, { promise: 1, expected: [2] }],
};

/** What the server sends with each problem. */
const PROBLEMS: Readonly<Record<Problem, Sent>> = {
  "not-json": {}, "not-understood": { path: "$.command" }, "too-large": { most: 100 }, "too-deep": { most: 12 }, "command-id-reused": {}, "not-found": {},
  "method-not-allowed": {}, "no-guest": {}, "foreign-origin": { option: "--origin" }, "scope-missing": { scope: "play" }, "name-not-allowed": {}, "language-unknown": {},
  "link-not-valid": {}, "signed-in-already": { name: "Eve" }, "text-not-allowed": {}, "rate-limited": { retry_after: 2 }, "too-slow": {}, "server-full": {}, "server-stopping": {}, "too-many": { most: 8 },
  "not-saved": {}, internal: {}, "no-such-table": {}, "options-not-valid": { what: "house-rules" }, "not-your-seat": { seat: 1 }, "not-seated": {}, "no-such-seat": {},
  "seat-taken": {}, "seated-already": {}, "seat-empty": {}, "seats-empty": { count: 2 }, "not-host": {}, "unknown-bot": { expected: ["pk", "trader"] }, "already-started": {},
  "not-started": {}, "not-finished": {}, "table-over": {}, "table-paused": {}, "not-paused": {}, "salt-not-valid": {}, "not-handed-over": {}, "has-clock": {},
  "not-quiet": { seconds: 30 }, "not-waited-for": {}, "called-already": {}, "rematch-made": { table: "t2" }, "no-spectators": {}, "no-such-record": {},
  "record-not-valid": { line: 3, detail: "x" },
};

const OFFER: Offer = { id: 1, revision: 1, maker: 1, to: [0, 2], hand: [[0, 8]], face_up: [[1, 4]], want: [2], open: true, claims: [], declined: [] };
const SHOWN: OfferView = { ...OFFER, hand: [8], claimers: [] };
const MOVED = { offer: 1, player: 1 };
const ROOM = { edition: "full", players: 3, house_rules: [], clock: "none", listed: false, spectators: true, delay: 0 } as const;

type Examples = { readonly [Tag in ShownEvent["event"]]: Extract<ShownEvent, { event: Tag }> };

const EVENTS: Examples = {
  "turn-began": { event: "turn-began", player: 1, leftovers: [2, 2] }, "turned-over": { event: "turned-over", player: 1, beans: [2, 4, 4] }, swept: { event: "swept", player: 1, beans: [4] },
  "trading-began": { event: "trading-began", player: 1 }, "face-up-began": { event: "face-up-began", player: 1 }, "haggling-began": { event: "haggling-began", player: 1 },
  drew: { event: "drew", player: 0, beans: [3, 8] }, "drew-hidden": { event: "drew-hidden", player: 1, count: 2 }, exhausted: { event: "exhausted", count: 2 },
  "reshuffled-hidden": { event: "reshuffled-hidden", count: 30 }, "game-ended": { event: "game-ended", result: { coins: [9, 12, 12], pennies: [0, 0, 0], hand_cards: [1, 2, 2], winners: [1, 2] } },
  planted: { event: "planted", player: 1, field: 0, bean: 2 }, "set-aside-planted": { event: "set-aside-planted", player: 1, place: 0, field: 1, bean: 2 },
  harvested: { event: "harvested", player: 1, field: 1, coins: [8, 8], discards: [8, 8, 8] }, "field-bought": { event: "field-bought", player: 1, coins: [2, 2, 2], to: "box" },
  "offer-made": { event: "offer-made", offer: OFFER }, "offer-edited": { event: "offer-edited", offer: OFFER }, "offer-shown": { event: "offer-shown", offer: SHOWN, edited: false },
  "offer-withdrawn": { event: "offer-withdrawn", offer: 1 }, "offer-declined": { event: "offer-declined", ...MOVED, revision: 1, maker: 0 },
  "offer-claimed": { event: "offer-claimed", ...MOVED, revision: 1, hand: [[0, 2]] }, "claim-shown": { event: "claim-shown", ...MOVED, revision: 1 },
  "claim-withdrawn": { event: "claim-withdrawn", ...MOVED }, "claim-voided": { event: "claim-voided", ...MOVED }, "offer-voided": { event: "offer-voided", offer: 1 },
  "traded-shown": { event: "traded-shown", offer: 1, maker: 1, partner: 2, maker_hand: [8], maker_face_up: [[0, 4]], partner_hand: [2], partner_face_up: [], own: [] },
  passed: { event: "passed", player: 1 }, "trading-closed": { event: "trading-closed", player: 1 },
  "leftover-planted": { event: "leftover-planted", player: 1, place: 0, field: 1, bean: 2 }, "leftover-discarded": { event: "leftover-discarded", player: 1, place: 0, bean: 2 },
  "leftovers-done": { event: "leftovers-done", player: 1 }, "hand-discarded": { event: "hand-discarded", player: 0, place: 2, bean: 2 },
  "hand-discard-shown": { event: "hand-discard-shown", player: 1, bean: 2 }, "hand-kept": { event: "hand-kept", player: 1 },
  "face-up-planted": { event: "face-up-planted", player: 1, place: 0, field: 2, bean: 2 }, "rest-left": { event: "rest-left", player: 1, beans: [2, 4] },
  "gift-named": { event: "gift-named", player: 0, bean: 2, hand: [] }, "gift-shown": { event: "gift-shown", player: 1, bean: 2 },
  "gift-taken": { event: "gift-taken", player: 1, giver: 0, bean: 2, source: "hand", place: 1 }, "gift-taken-shown": { event: "gift-taken-shown", player: 0, giver: 1, bean: 2, source: "face-up" },
  "bluff-caught": { event: "bluff-caught", player: 0, giver: 1, bean: 2 }, "bluff-paid": { event: "bluff-paid", giver: 1, player: 0, coin: "treasury", bonus: [], from_hand: false, discarded: false },
  "bluff-paid-shown": { event: "bluff-paid-shown", giver: 1, player: 0 }, "haggling-closed": { event: "haggling-closed", player: 1 },
  "gift-planted": { event: "gift-planted", player: 1, field: 0, bean: 2 }, "bonus-began": { event: "bonus-began", discarding: [0, 1], refilling: [0, 1] },
  "bonus-stood": { event: "bonus-stood", player: 0, bonus: 1 }, "bonus-claimed": { event: "bonus-claimed", player: 1, bonus: 1 }, "bonus-discarded": { event: "bonus-discarded", player: 0, bonus: 1 },
  "bonus-discard-shown": { event: "bonus-discard-shown", player: 1 }, "bonus-refilled": { event: "bonus-refilled", player: 0, cards: [1] },
  "bonus-refill-shown": { event: "bonus-refill-shown", player: 1, count: 1 }, "bonus-reshuffle-shown": { event: "bonus-reshuffle-shown", count: 5 },
  "wish-set": { event: "wish-set", player: 1, bean: 2, mark: "spare" },
  "promise-made": { event: "promise-made", promise: { id: 1, player: 1, to: 0, give: [2], get: [], due: "next-turn" } }, "promise-withdrawn": { event: "promise-withdrawn", promise: 1 },
  "dealt-shown": { event: "dealt-shown", starter: 1, fields: 2, hand: [2], bonus_hand: [], hand_sizes: [5, 5, 5], coins: [0, 0, 0], draw_pile: 100, box: [] },
  "table-opened": { event: "table-opened", table: "t", host: "u0", options: ROOM, commitment: "", at: 0, origin: null, lesson: null }, "options-chosen": { event: "options-chosen", options: ROOM },
  sat: { event: "sat", seat: 1, user: "u1", salt: "", at: 0 }, stood: { event: "stood", seat: 1 }, "salt-given": { event: "salt-given", seat: 1, salt: "00" },
  "bot-seated": { event: "bot-seated", seat: 1, bot: "pk", salt: "", name: "Bert" }, "bot-removed": { event: "bot-removed", seat: 1 }, kicked: { event: "kicked", seat: 1, bot: null },
  "host-passed": { event: "host-passed", user: "u0" }, started: { event: "started" }, paused: { event: "paused", at: 0 }, resumed: { event: "resumed", at: 0 },
  "handed-over": { event: "handed-over", seat: 1, bot: "pk" }, "taken-back": { event: "taken-back", seat: 1 }, "clock-missed": { event: "clock-missed", seat: 1 },
  "clocks-kept": { event: "clocks-kept", seat: 1 }, "choice-called": { event: "choice-called", user: "u1" }, "last-call-began": { event: "last-call-began", turn: 3, until: 0 },
  "last-call-prolonged": { event: "last-call-prolonged", until: 0 }, finished: { event: "finished" }, abandoned: { event: "abandoned" },
  "deal-revealed": { event: "deal-revealed", reveal: { secret: "", nonce: "", salts: [] } }, "rematch-made": { event: "rematch-made", table: "t2" },
};

/** Events that are no news to anybody, or of which the log tells something better in the same batch. */
const UNTOLD = ["table-opened", "salt-given", "bot-removed", "started", "clocks-kept", "last-call-prolonged", "finished", "deal-revealed"];

function table(seat: number | null = 0): TableModel {
  const rules = { ...view().rules, bonus_cards: [{ runs: [2, 2], pennies: 10 }, { runs: [2, 1, 1], pennies: 40 }] } as Rules;
  const made = new TableModel();
  const choices = welcome().choices;
  const legal = [{ do: "harvest", player: 0, field: 1 }, { do: "plant-set-aside", player: 0, place: 0, field: 0 }] as const;
  made.welcome(welcome({ seat, game: view({ rules, own: { ...OWN, bonus: [0, 1] } }), choices: choices === null ? null : { ...choices, legal } }));
  return made;
}

/** A text that lacks something shows its key or the name of a parameter in brackets. */
const BROKEN = /[[\]{}]|undefined|NaN|null|\[object/;

const catalog = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../src/bohn/i18n/catalogs/${language}.json`), "utf8")) as Record<string, string>;

describe.each(["en", "de"])("in %s", (language) => {
  beforeAll(() => speak(language));

  test.each(Object.entries(REASONS))("reason %s is told whatever the rules send with it", (reason, forms) => {
    for (const params of forms) {
      for (const shown of [table(), null]) {
        const told = reasonText({ reason, params }, shown);
        expect(told).not.toMatch(BROKEN);
        expect(told).not.toBe(reason);
      }
    }
  });

  test.each(Object.entries(PROBLEMS))("problem %s is told", (reason, params) => {
    const told = reasonText({ reason, params });
    expect(told).not.toMatch(BROKEN);
    expect(told).not.toBe(reason);
  });

  test.each(Object.entries(EVENTS))("event %s is told to everybody", (tag, event) => {
    for (const seat of [0, 1, null]) {
      const told = tell({ event }, table(seat));
      if (UNTOLD.includes(tag)) expect(told).toBeNull();
      else expect(told).toMatch(/\S/);
      expect(told ?? "").not.toMatch(BROKEN);
    }
  });
});

describe("the catalogs", () => {
  const families: readonly (readonly [string, readonly string[]])[] = [["reason", Object.keys(REASONS)], ["problem", Object.keys(PROBLEMS)]];

  test.each(families)("tell every %s and no other", (family, codes) => {
    const found = Object.keys(catalog("en")).filter((key) => key.startsWith(`${family}.`)).map((key) => key.slice(family.length + 1));
    expect(found.sort()).toEqual([...codes].sort());
  });

  test("speak of what is tapped for reasons only", () => {
    const why = Object.keys(catalog("en")).filter((key) => key.startsWith("why.")).map((key) => key.slice("why.".length));
    expect(why.filter((code) => !(code in REASONS))).toEqual([]);
  });

  test("name nothing that is typed where the page tells a reason", () => {
    const english = catalog("en");
    const typed = Object.keys(REASONS).filter((code) => /“\w+”|from 0/.test(english[`why.${code}`] ?? english[`reason.${code}`] ?? ""));
    expect(typed).toEqual([]);
  });
});

test("the list of where each refusal is told is whole", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/refusals.md"), "utf8");
  const listed = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual(Object.keys(REASONS).sort());
});

describe("the words of a refusal", () => {
  beforeAll(() => speak("en"));

  test("are names of seats", () => {
    expect(reasonText({ reason: "not-active-player", params: { active: 0 } }, table())).toBe("It is Ada’s turn; only Ada may do that.");
  });

  test("are names of beans and fields counted from 1", () => {
    expect(reasonText({ reason: "does-not-fit", params: { bean: "black_eyed", field: 0 } }, table())).toContain("A black-eyed bean does not fit on field 1:");
    expect(reasonText({ reason: "wrong-copies", params: { offer: 1, want: ["red", "red", "soy"] } }, table())).toMatch(/2 red beans/);
  });

  test("are what one may do now, not all that belongs to the phase", () => {
    const [params] = REASONS["not-in-this-phase"];
    expect(reasonText({ reason: "not-in-this-phase", params: params ?? {} }, table())).toBe(
      "Not now: it is time for planting what was traded. You can harvest a field or plant a traded bean.",
    );
    const nothing = reasonText({ reason: "not-in-this-phase", params: { phase: "gift", command: "plant", expected: ["name-gift"] } }, table());
    expect(nothing).toBe("Not now: it is time for haggling over a gift.");
  });

  test("are the kinds that may still be named", () => {
    const params = { bean: "soy", expected: ["garden", "black_eyed", "blue"] };
    expect(reasonText({ reason: "kind-named-already", params }, table())).toContain("garden, black-eyed or blue");
  });

  test("are the pattern of a bonus card", () => {
    expect(reasonText({ reason: "pattern-never-stood", params: { bonus: 1 } }, table())).toContain("bonus card 2-1-1");
  });

  test("are the code itself where a newer server sends one that nobody knows", () => {
    expect(reasonText({ reason: "made-up", params: {} })).toBe("made-up");
  });
});
