import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Problem, Reason, Rules } from "../src/generated/protocol";
import { loaders as account } from "virtual:catalogs/account";
import { loaders as alerts } from "virtual:catalogs/alerts";
import { loaders as away } from "virtual:catalogs/away";
import { loaders } from "virtual:catalogs/operator";
import { loaders as people } from "virtual:catalogs/people";
import { loaders as times } from "virtual:catalogs/times";
import { loadFurther, loadLanguage } from "../src/lib/i18n.svelte";
import { TableModel } from "../src/lib/model.svelte";
import { reasonText } from "../src/lib/reasons";
import { OWN, view, welcome } from "./sample";

type Sent = Readonly<Record<string, unknown>>;

/** What the rules send with each reason, in each of its forms. */
const REASONS: Readonly<Record<Reason, readonly Sent[]>> = {
  "not-in-this-phase": [
    {
      phase: "plant-traded",
      command: "pick",
      expected: ["buy-field", "harvest", "make-promise", "plant-set-aside", "set-wish", "withdraw-promise"],
    },
    { phase: "gift", command: "plant", expected: ["set-wish"] },
  ],
  "game-over": [{}],
  "unknown-player": [{ player: 4, expected: [0, 1, 2] }],
  "not-active-player": [{ active: 1 }],
  "no-such-field": [{ field: 3, fields: 3 }],
  "no-such-place": [
    { place: 0, cards: 0 },
    { place: 4, cards: 2 },
  ],
  "hand-changed": [{ revision: 2 }, { place: 2, revision: 2 }],
  "same-card-twice": [{}],
  "unknown-bean": [{ bean: "cocoa", cards: 0 }, { bean: "coffee" }],
  "hand-empty": [{}],
  "must-plant-first": [{}],
  "two-planted-already": [{}],
  "does-not-fit": [{ bean: "soy", field: 0 }],
  "must-join": [{ bean: "black_eyed", field: 1 }],
  "field-empty": [{ field: 1 }],
  "single-bean-protected": [{ field: 0 }],
  "own-turn-only": [{ field: 0 }],
  "no-field-for-sale": [{ price: 0, coins: 6 }],
  "field-limit": [{ price: 2, coins: 2 }],
  "not-enough-coins": [
    { price: 3, coins: 2 },
    { price: 1, coins: 0 },
  ],
  "wrong-payment": [{ price: 3 }],
  "nothing-for-nothing": [{}],
  "unknown-addressee": [{ expected: [1, 2] }],
  "active-player-missing": [{ active: 1 }],
  "face-up-not-yours": [{ active: 1 }],
  "too-many-offers": [{ limit: 6 }],
  "want-too-many": [{ bean: "red", cards: 8 }],
  "no-such-offer": [
    { offer: 1, expected: [] },
    { offer: 1, expected: [2, 3] },
  ],
  "old-revision": [{ offer: 1, revision: 2 }],
  "not-addressed": [{ offer: 1, to: [1, 2] }],
  "not-your-offer": [{ offer: 1, maker: 1 }],
  "offer-is-open": [{ offer: 1 }],
  "offer-is-direct": [{ offer: 1 }, { active: 1 }],
  "wrong-copies": [{ offer: 1, want: ["red", "red", "soy"] }, { want: ["soy"] }],
  "already-claimed": [{ offer: 1 }],
  "no-such-claim": [
    { offer: 1, expected: [] },
    { offer: 1, expected: [1, 2] },
  ],
  "already-declined": [{ offer: 6 }],
  "already-passed": [{}],
  "active-player-closes": [{ active: 1 }],
  "all-must-pass": [{}],
  "discard-before-planting": [{}],
  "not-your-word": [{ word: 1 }],
  "kind-named-already": [{ bean: "soy", expected: ["garden", "black_eyed", "blue"] }],
  "cannot-refuse-last-kind": [{}],
  "nothing-named": [{}],
  "no-gift-to-plant": [{}],
  "rest-must-be-planted": [{}],
  "no-such-bonus": [
    { bonus: 1, expected: [0] },
    { bonus: 1, expected: [] },
  ],
  "pattern-never-stood": [{ bonus: 0 }],
  "bonus-already-decided": [{}, { expected: [1] }],
  "wish-unchanged": [{ bean: "green", mark: "want" }],
  "promise-empty": [{}],
  "too-many-promises": [{ limit: 12 }],
  "no-such-promise": [
    { promise: 1, expected: [] },
    { promise: 1, expected: [2] },
  ],
};

/** What the server sends with each problem. */
const PROBLEMS: Readonly<Record<Problem, Sent>> = {
  "no-seat-for-you": {},
  "not-over-days": {},
  "order-not-valid": {},
  "hours-not-valid": {},
  "holiday-not-valid": {},
  "holidays-used": { most: 28 },
  "not-invitable": {},
  "no-profile": {},
  muted: { reason: "Too loud", until: null },
  suspended: { reason: "Too loud", until: 1790000031000 },
  banned: { reason: "Too loud", until: null },
  "channel-not-offered": {},
  "channel-not-valid": {},
  "zone-unknown": {},
  "no-accounts": {},
  "no-account": {},
  "handle-not-allowed": { least: 2, most: 20 },
  "handle-mixed": {},
  "handle-taken": {},
  "passkey-not-valid": {},
  "last-passkey": {},
  "code-not-valid": {},
  "confirm-first": {},
  "no-operator": {},
  "no-such-user": {},
  "own-self": {},
  "everybodys-address": { network: "10.0.0.0/8" },
  "out-of-range": { what: "tables", given: 0, least: 1, most: 100 },
  "not-json": {},
  "not-understood": { path: "$.command" },
  "too-large": { most: 100 },
  "too-deep": { most: 12 },
  "command-id-reused": {},
  "not-found": {},
  "method-not-allowed": {},
  "no-guest": {},
  "foreign-origin": { option: "--origin" },
  "scope-missing": { scope: "play" },
  "name-not-allowed": {},
  "language-unknown": {},
  "link-not-valid": {},
  "signed-in-already": { name: "Eve" },
  "text-not-allowed": {},
  "rate-limited": { retry_after: 2 },
  "too-slow": {},
  "server-full": {},
  "server-stopping": {},
  "too-many": { most: 8 },
  "not-saved": {},
  internal: {},
  "no-such-table": {},
  "options-not-valid": { what: "house-rules" },
  "not-your-seat": { seat: 1 },
  "not-seated": {},
  "no-such-seat": {},
  "seat-taken": {},
  "seated-already": {},
  "seat-empty": {},
  "seats-empty": { count: 2 },
  "not-host": {},
  "unknown-bot": { expected: ["pk", "trader"] },
  "already-started": {},
  "not-started": {},
  "not-finished": {},
  "table-over": {},
  "table-paused": {},
  "not-paused": {},
  "salt-not-valid": {},
  "not-handed-over": {},
  "has-clock": {},
  "not-quiet": { seconds: 30 },
  "not-waited-for": {},
  "called-already": {},
  "rematch-made": { table: "t2" },
  "no-spectators": {},
  "sent-away": {},
  removed: {},
  "no-such-record": {},
  "record-not-valid": { line: 3, detail: "x" },
};

function table(seat: number | null = 0): TableModel {
  const rules = {
    ...view().rules,
    bonus_cards: [
      { runs: [2, 2], pennies: 10 },
      { runs: [2, 1, 1], pennies: 40 },
    ],
  } as Rules;
  const made = new TableModel();
  const choices = welcome().choices;
  const legal = [
    { do: "harvest", player: 0, field: 1 },
    { do: "plant-set-aside", player: 0, place: 0, field: 0 },
  ] as const;
  made.welcome(
    welcome({
      seat,
      game: view({ rules, own: { ...OWN, bonus: [0, 1] } }),
      choices: choices === null ? null : { ...choices, legal },
    }),
  );
  return made;
}

/** A text that lacks something shows its key or the name of a parameter in brackets. */
const BROKEN = /[[\]{}]|undefined|NaN|null|\[object/;

const catalog = (language: string): Record<string, string> =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../src/bohn/i18n/catalogs/${language}.json`), "utf8"),
  ) as Record<string, string>;

describe.each(["en", "de"])("in %s", (language) => {
  beforeAll(async () => {
    await loadFurther(loaders); // what only operators are told
    await loadFurther(account);
    await loadFurther(people);
    await loadFurther(alerts);
    await loadFurther(away);
    await loadFurther(times);
    await loadLanguage(language);
  });

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
});

describe("the catalogs", () => {
  const families: readonly (readonly [string, readonly string[]])[] = [
    ["reason", Object.keys(REASONS)],
    ["problem", Object.keys(PROBLEMS)],
  ];

  test.each(families)("tell every %s and no other", (family, codes) => {
    const found = Object.keys(catalog("en"))
      .filter((key) => key.startsWith(`${family}.`))
      .map((key) => key.slice(family.length + 1));
    expect(found.sort()).toEqual([...codes].sort());
  });

  test("speak of what is tapped for reasons only", () => {
    const why = Object.keys(catalog("en"))
      .filter((key) => key.startsWith("why."))
      .map((key) => key.slice("why.".length));
    expect(why.filter((code) => !(code in REASONS))).toEqual([]);
  });

  test("name nothing that is typed where the page tells a reason", () => {
    const english = catalog("en");
    const typed = Object.keys(REASONS).filter((code) =>
      /“\w+”|from 0/.test(english[`why.${code}`] ?? english[`reason.${code}`] ?? ""),
    );
    expect(typed).toEqual([]);
  });
});

test("the list of where each refusal is told is whole", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/refusals.md"), "utf8");
  const [rules = "", server = ""] = text.split("## Of the server");
  const listed = (part: string) => [...part.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code ?? "");
  expect(listed(rules).sort()).toEqual(Object.keys(REASONS).sort());
  expect(Object.keys(PROBLEMS)).toEqual(expect.arrayContaining(listed(server)));
});

describe("the words of a refusal", () => {
  beforeAll(() => loadLanguage("en"));

  test("are names of seats", () => {
    expect(reasonText({ reason: "not-active-player", params: { active: 0 } }, table())).toBe(
      "It is Ada’s turn; only Ada may do that.",
    );
  });

  test("are names of beans and fields counted from 1", () => {
    expect(
      reasonText({ reason: "does-not-fit", params: { bean: "black_eyed", field: 0 } }, table()),
    ).toContain("A black-eyed bean does not fit in field 1: something else grows there.");
    expect(
      reasonText({ reason: "wrong-copies", params: { offer: 1, want: ["red", "red", "soy"] } }, table()),
    ).toMatch(/2 red beans/);
  });

  test("lead where a card does not fit to a harvest that may be done", () => {
    const shown = (...may: readonly number[]) => {
      const legal = may.map((field) => ({ do: "harvest", player: 0, field }) as const);
      const held = new TableModel();
      const { choices } = welcome();
      const game = view();
      const [own, ...others] = game.players;
      if (own === undefined || choices === null) throw new Error("somebody sits there");
      const players = [{ ...own, fields: [[8], [3], [2, 2]] as const }, ...others];
      held.welcome(welcome({ seat: 0, game: { ...game, players }, choices: { ...choices, legal } }));
      return reasonText({ reason: "does-not-fit", params: { bean: "green", field: 1 } }, held);
    };
    expect(shown(1, 2)).toMatch(/Choose another field, or harvest this one first\.$/);
    expect(shown(2)).toMatch(/The single bean there is protected: harvest field 3 first\.$/);
    expect(shown()).toMatch(/Choose a field that fits\.$/);
  });

  test("are what one may do now, not all that belongs to the phase", () => {
    const [params] = REASONS["not-in-this-phase"];
    expect(reasonText({ reason: "not-in-this-phase", params: params ?? {} }, table())).toBe(
      "Not now (phase: planting what was traded). You can harvest a field or plant a bean you received.",
    );
    const nothing = reasonText(
      { reason: "not-in-this-phase", params: { phase: "gift", command: "plant", expected: ["name-gift"] } },
      table(),
    );
    expect(nothing).toBe("Not now (phase: haggling over a gift).");
  });

  test("are whose turn it is, for whoever is not waited for in it", () => {
    const other = new TableModel();
    other.welcome(
      welcome({ game: view({ phase: { phase: "plant", planted: 0 }, active_player: 1, waiting: [1] }) }),
    );
    const params = { phase: "plant", command: "discard-from-hand", expected: ["plant", "harvest", "reveal"] };
    expect(reasonText({ reason: "not-in-this-phase", params }, other)).toBe(
      "It is Bert’s turn; only Bert may do that.",
    );
  });

  test("are the kinds that may still be named", () => {
    const params = { bean: "soy", expected: ["garden", "black_eyed", "blue"] };
    expect(reasonText({ reason: "kind-named-already", params }, table())).toContain(
      "The soy bean has already been named. Name another: garden bean, black-eyed bean or blue bean.",
    );
  });

  test("are the pattern of a bonus card", () => {
    expect(reasonText({ reason: "pattern-never-stood", params: { bonus: 1 } }, table())).toContain(
      "bonus card 2-1-1",
    );
  });

  test("are the code itself where a newer server sends one that nobody knows", () => {
    expect(reasonText({ reason: "made-up", params: {} })).toBe("made-up");
  });
});
