import { beforeAll, expect, test } from "vitest";
import type { AnyCommand, Copy, GiftWays, View } from "../../src/generated/protocol";
import { loaders } from "virtual:catalogs/linear";
import { loadFurther, loadLanguage } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { possibleCommands, commandText, spelledOut } from "../../src/linear/commands";
import { meaningText, offerText } from "../../src/table/phrases";
import { offer, OWN, view, welcome } from "../sample";
import { needsConfirmation } from "../../src/table/confirm";

beforeAll(async () => {
  await loadLanguage("en");
  await loadFurther(loaders);
});

const WORTH = { bean: 2, coins: 2, discards: 1, more: 1, next_coins: 3, steps: [] } as const;

function table(game: View, legal: readonly AnyCommand[] = []): TableModel {
  const made = new TableModel();
  const { choices } = welcome();
  made.welcome(
    welcome({
      game,
      worth: [[WORTH, { ...WORTH, coins: 0 }], [], []],
      choices: choices === null ? null : { ...choices, legal, gifts: GIFTS, discards: DISCARDS },
    }),
  );
  return made;
}

const players = view().players.map((player, seat) =>
  seat === 0
    ? { ...player, fields: [[2, 2, 2], [8]] as const, set_aside: [4, 9, 4] as const, coins: 3 }
    : player,
);
/** A red bean lies face up and two are in the hand; one may discard the second and the fourth card. */
const GIFTS: readonly GiftWays[] = [
  {
    bean: 2,
    ways: [
      { source: "face-up", place: 0, hand: [] },
      { source: "hand", place: 0, hand: [[0, 2]] },
      { source: "hand", place: 2, hand: [[2, 2]] },
    ],
  },
];
const DISCARDS: readonly Copy[] = [
  [1, 8],
  [3, 9],
];
const BONUS = [{ runs: [1, 2], pennies: 3 }];
const game = view({ players, active_player: 0, rules: { ...view().rules, bonus_cards: BONUS } });
const gift = view({ ...game, phase: { phase: "gift", face_up: [2], named: [[1, 9]], word: 0, open: true } });

const SENTENCES: readonly (readonly [View, AnyCommand, string])[] = [
  [game, { do: "plant", player: 0, field: 0 }, "Plant the front card, a red bean, in field 1 (3 red beans)"],
  [
    game,
    { do: "plant-set-aside", player: 0, place: 1, field: 1 },
    "Plant a wax bean from the market in field 2 (1 blue bean)",
  ],
  [
    view({ ...game, phase: { phase: "leftovers", leftovers: [10] } }),
    { do: "plant-leftover", player: 0, place: 0, field: 1 },
    "Plant the leftover coffee bean in field 2 (1 blue bean)",
  ],
  [
    view({ ...game, phase: { phase: "leftovers", leftovers: [10] } }),
    { do: "discard-leftover", player: 0, place: 0 },
    "Discard the leftover coffee bean",
  ],
  [
    view({ ...game, phase: { phase: "plant-face-up", face_up: [7] } }),
    { do: "plant-face-up", player: 0, place: 0, field: 0 },
    "Plant the face-up chili bean in field 1 (3 red beans)",
  ],
  [
    view({ ...game, phase: { phase: "plant-face-up", face_up: [7] } }),
    { do: "leave-rest", player: 0 },
    "Leave the rest to the other player: 1 chili bean",
  ],
  [
    view({ ...game, phase: { phase: "plant-gift", face_up: [], gift: [7], receiver: 0, planted: 0 } }),
    { do: "plant-gift", player: 0, field: 0 },
    "Plant the gift, a chili bean, in field 1 (3 red beans)",
  ],
  [game, { do: "reveal", player: 0 }, "Turn cards over"],
  [game, { do: "keep-hand", player: 0 }, "Go on"],
  [
    game,
    { do: "discard-from-hand", player: 0, copy: [3, 9], hand_revision: 4 },
    "Discard card 4 of your hand, a wax bean",
  ],
  [game, { do: "harvest", player: 0, field: 0 }, "Harvest field 1 (3 red beans) for 2 coins"],
  [game, { do: "buy-field", player: 0, coins: [] }, "Buy another field for 3 coins"],
  [
    game,
    { do: "buy-field", player: 0, coins: [2, 2, 9] },
    "Buy another field for 3 coins: 2 red beans and 1 wax bean",
  ],
  [
    game,
    { do: "make-offer", player: 0, to: [1], hand: [], face_up: [], want: [2], open: false, hand_revision: 4 },
    "make an offer",
  ],
  [
    game,
    {
      do: "edit-offer",
      player: 0,
      offer: 1,
      revision: 1,
      to: [1],
      hand: [],
      face_up: [],
      want: [2],
      open: false,
      hand_revision: 4,
    },
    "change an offer",
  ],
  [game, { do: "withdraw-offer", player: 0, offer: 1 }, "Take this offer back"],
  [
    game,
    {
      do: "accept-offer",
      player: 0,
      offer: 1,
      revision: 1,
      hand: [[0, 2]],
      face_up: [[0, 4]],
      hand_revision: 4,
    },
    "Accept, and give 1 red bean and 1 soy bean",
  ],
  [
    game,
    { do: "accept-offer", player: 0, offer: 1, revision: 1, hand: [], face_up: [], hand_revision: 0 },
    "Accept the gift",
  ],
  [
    game,
    { do: "claim", player: 0, offer: 1, revision: 1, hand: [[0, 2]], hand_revision: 4 },
    "Say that you want it, and give 1 red bean",
  ],
  [game, { do: "pick", player: 0, offer: 1, revision: 1, claimer: 2 }, "Trade with Chiyo, who has 0 coins"],
  [game, { do: "decline-offer", player: 0, offer: 1, revision: 1 }, "Say no"],
  [
    view({ phase: { phase: "trade", face_up: [], passes: [], offers: [offer({ claimers: [0] })] } }),
    { do: "decline-offer", player: 0, offer: 1, revision: 1 },
    "Say that you no longer want it",
  ],
  [game, { do: "end-trading", player: 0 }, "End trading"],
  [game, { do: "pass", player: 0 }, "Say that you are done with trading"],
  [
    view({ phase: { phase: "bonus", discarding: [0], refilling: [] } }),
    { do: "pass", player: 0 },
    "Pass: no bonus card now",
  ],
  [
    gift,
    { do: "name-gift", player: 0, bean: 2, hand: [], hand_revision: 4 },
    "Name a red bean (it lies face up)",
  ],
  [
    gift,
    { do: "name-gift", player: 0, bean: 2, hand: [[0, 2]], hand_revision: 4 },
    "Name a red bean (from your hand)",
  ],
  [
    gift,
    { do: "name-gift", player: 0, bean: 0, hand: [], hand_revision: 4 },
    "Name a cocoa bean (a bluff: you have none)",
  ],
  [gift, { do: "take-gift", player: 0 }, "Take the wax bean that was named"],
  [game, { do: "claim-bonus", player: 0, bonus: 0 }, "Claim bonus card 1-2 (3 pennies)"],
  [game, { do: "discard-bonus", player: 0, bonus: 0 }, "Discard bonus card 1-2 (3 pennies)"],
  [game, { do: "refill-bonus", player: 0 }, "Draw bonus cards"],
  [game, { do: "set-wish", player: 0, bean: 2, mark: "want" }, "Say that you want red beans"],
  [game, { do: "make-promise", player: 0, to: 1, give: [2], get: [], due: "this-turn" }, "make a promise"],
  [game, { do: "withdraw-promise", player: 0, promise: 1 }, "take a promise back"],
];

test.each(SENTENCES)("a command is a sentence (%#)", (shown, command, sentence) => {
  expect(commandText(command, table(shown))).toBe(sentence);
});

test("every command has its sentence here", () => {
  expect(new Set(SENTENCES.map(([, command]) => command.do)).size).toBe(29);
});

test("any copy may be discarded, though the server names one of a kind", () => {
  const found = spelledOut(
    table(game, [{ do: "discard-from-hand", player: 0, copy: [0, 2], hand_revision: 4 }]),
  );
  expect(found.map((command) => command.do === "discard-from-hand" && command.copy)).toEqual([
    [1, 8],
    [3, 9],
  ]);
});

test("a gift may come from the hand though one lies open", () => {
  const found = spelledOut(
    table(gift, [{ do: "name-gift", player: 0, bean: 2, hand: [], hand_revision: 4 }]),
  );
  expect(found).toHaveLength(2);
  expect(found[1]).toMatchObject({ hand: [[0, 2]], hand_revision: OWN.hand_revision });
});

test("what the turn asks for comes first, answers to offers are elsewhere, and alike cards are named once", () => {
  const legal: AnyCommand[] = [
    { do: "harvest", player: 0, field: 0 },
    { do: "decline-offer", player: 0, offer: 1, revision: 1 },
    { do: "plant-set-aside", player: 0, place: 0, field: 0 },
    { do: "plant-set-aside", player: 0, place: 2, field: 0 },
    { do: "plant-set-aside", player: 0, place: 1, field: 0 },
  ];
  expect(possibleCommands(table(game, legal)).map((command) => command.do)).toEqual([
    "plant-set-aside",
    "plant-set-aside",
    "harvest",
  ]);
});

test("a harvest for nothing, and the end of a trading in which somebody waits, are asked once more", () => {
  expect(needsConfirmation({ do: "harvest", player: 0, field: 1 }, table(game))).toBe(true);
  expect(needsConfirmation({ do: "harvest", player: 0, field: 0 }, table(game))).toBe(false);
  const claimed = (claimers: readonly number[]): View =>
    view({
      active_player: 0,
      phase: {
        phase: "trade",
        face_up: [],
        passes: [],
        offers: [offer({ maker: 0, to: [1, 2], open: true, claimers })],
      },
    });
  expect(needsConfirmation({ do: "end-trading", player: 0 }, table(claimed([2])))).toBe(true);
  expect(needsConfirmation({ do: "end-trading", player: 0 }, table(claimed([])))).toBe(false);
});

test("an offer is told from the viewer's side, whoever made it", () => {
  const shown = table(view());
  expect(offerText(offer(), shown)).toBe("Bert offers you 1 blue bean for 1 red bean of yours.");
  expect(offerText(offer({ maker: 0, to: [1] }), shown)).toBe("You offer Bert 1 blue bean for 1 red bean.");
  expect(offerText(offer({ to: [2] }), shown)).toBe("Bert offers Chiyo 1 blue bean for 1 red bean.");
  expect(offerText(offer({ want: [] }), shown)).toBe("Bert offers you 1 blue bean as a gift.");
  expect(offerText(offer({ hand: [] }), shown)).toBe("Bert asks you to give 1 red bean as a gift.");
  expect(offerText(offer({ open: true }), shown)).toContain("Bert picks one of those who would take it.");
});

test("what an offer means is told field by field, and what finds no place", () => {
  const field = {
    field: 1,
    bean: 8,
    beans_before: 3,
    beans_after: 4,
    coins_before: 0,
    coins_after: 1,
  } as const;
  expect(meaningText({ give: [], get: [], fields: [field], homeless: [9] })).toBe(
    "Your field 2 of blue beans grows from 3 to 4 (1 coin). You have no field for 1 wax bean.",
  );
  expect(meaningText(undefined)).toBe("");
});
