/** The text view's list of what may be done now, each command as a sentence on a button. */
import type { AnyCommand, Bean, Copy, OfferView } from "../generated/protocol";
import { has, t, type Inflected } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { nameOf } from "../lib/names";
import { beansText, beansWord, beanWord, bonusText } from "../lib/sentences";
import { trading } from "../table/offers/offers";
import { lastCall } from "../table/offers/closing";
import { discardOf } from "../table/planting";
import { faceUpOf } from "../table/selection";

type Of<Name extends AnyCommand["do"]> = Extract<AnyCommand, { do: Name }>;
type Sentences = { readonly [Name in AnyCommand["do"]]: (table: TableModel, command: Of<Name>) => string };

/** Return what a command would do, as a sentence on a button. */
export function commandText(command: AnyCommand, table: TableModel): string {
  const sentence = SENTENCES[command.do] as ((table: TableModel, command: AnyCommand) => string) | undefined;
  if (sentence !== undefined) return sentence(table, command);
  const key = `command.${(command as AnyCommand).do}`; // of a newer server
  return has(key) ? t(key) : key;
}

/** Return the beans of a field in brackets: "2 red beans", or "empty". */
function growing(table: TableModel, seat: number, field: number): string {
  const beans = table.player(seat)?.fields[field] ?? [];
  return beans.length === 0 ? t("read.empty") : beansText(beans);
}

const named = (bean: Bean | undefined): string | Inflected =>
  bean === undefined ? t("words.nothing") : beanWord(bean);

/** Return the bean that lies open at a place: left over, face up, or given. */
function lying(table: TableModel, place: number): Bean | undefined {
  const phase = table.view?.phase;
  if (phase === undefined) return undefined;
  return "leftovers" in phase
    ? phase.leftovers[place]
    : "face_up" in phase
      ? phase.face_up[place]
      : undefined;
}

function gift(table: TableModel): Bean | undefined {
  const phase = table.view?.phase;
  return phase?.phase === "plant-gift" ? phase.gift[0] : undefined;
}

const onField = (
  table: TableModel,
  command: { readonly player: number; readonly field: number },
  bean: Bean | undefined,
) => ({
  bean: named(bean),
  field: command.field + 1,
  on: growing(table, command.player, command.field),
});

function offerOf(table: TableModel, id: number): OfferView | undefined {
  return trading(table.view)?.offers.find((offer) => offer.id === id);
}

const copiesWord = (copies: readonly Copy[]): Inflected => beansWord(copies.map(([, bean]) => bean));

const worthOf = (table: TableModel, seat: number, field: number): string =>
  t("words.coins", { count: table.worth[seat]?.[field]?.coins ?? 0 });

/** A sentence for each command; it is a type error to forget one. */
const SENTENCES: Sentences = {
  plant: (table, command) => t("read.do-plant", onField(table, command, table.view?.own?.hand[0])),
  "plant-set-aside": (table, command) =>
    t(
      "read.do-plant-set-aside",
      onField(table, command, table.player(command.player)?.set_aside[command.place]),
    ),
  "plant-leftover": (table, command) =>
    t("read.do-plant-leftover", onField(table, command, lying(table, command.place))),
  "plant-face-up": (table, command) =>
    t("read.do-plant-face-up", onField(table, command, lying(table, command.place))),
  "plant-gift": (table, command) => t("read.do-plant-gift", onField(table, command, gift(table))),
  reveal: () => t("read.do-reveal"),
  "keep-hand": (table) =>
    t("read.do-keep-hand", { planted: table.allowed("discard-from-hand").length > 0 ? "yes" : "no" }),
  "discard-from-hand": (_, command) =>
    t("read.do-discard-from-hand", { bean: beanWord(command.copy[1]), place: command.copy[0] + 1 }),
  "discard-leftover": (table, command) =>
    t("read.do-discard-leftover", { bean: named(lying(table, command.place)) }),
  "leave-rest": (table) =>
    t("read.do-leave-rest", { count: faceUpOf(table).length, beans: beansWord(faceUpOf(table)) }),
  harvest: (table, command) =>
    t("read.do-harvest", {
      field: command.field + 1,
      beans: growing(table, command.player, command.field),
      coins: worthOf(table, command.player, command.field),
    }),
  "buy-field": (table, command) =>
    t("read.do-buy-field", {
      price: t("words.coins", { count: table.view?.rules.field_price ?? 0 }),
      chosen: command.coins.length > 0 ? "yes" : "no",
      beans: beansWord(command.coins),
    }),
  "make-offer": () => t("command.make-offer"),
  "edit-offer": () => t("command.edit-offer"),
  "withdraw-offer": () => t("read.withdraw"),
  "accept-offer": (_, command) =>
    t("read.do-accept-offer", {
      count: command.hand.length + command.face_up.length,
      beans: copiesWord([...command.hand, ...command.face_up]),
    }),
  claim: (_, command) => t("read.do-claim", { count: command.hand.length, beans: copiesWord(command.hand) }),
  pick: (table, command) =>
    t("read.do-pick", {
      name: nameOf(table, command.claimer),
      coins: t("words.coins", { count: table.player(command.claimer)?.coins ?? 0 }),
    }),
  "decline-offer": (table, command) =>
    offerOf(table, command.offer)?.claimers.includes(command.player) === true
      ? t("read.do-unclaim")
      : t("read.do-decline-offer"),
  "end-trading": (table) => t("read.do-end-trading", { call: lastCall(table) !== null ? "yes" : "no" }),
  pass: (table) => (table.view?.phase.phase === "bonus" ? t("read.do-pass-bonus") : t("read.do-pass")),
  "name-gift": (table, command) =>
    t("read.do-name-gift", { bean: beanWord(command.bean), from: giftFrom(table, command) }),
  "take-gift": (table) => t("read.do-take-gift", { bean: lastNamed(table) }),
  "claim-bonus": (table, command) => t("read.do-claim-bonus", { bonus: bonusText(table, command.bonus) }),
  "discard-bonus": (table, command) => t("read.do-discard-bonus", { bonus: bonusText(table, command.bonus) }),
  "refill-bonus": () => t("read.do-refill-bonus"),
  "set-wish": (_, command) => t("read.do-set-wish", { bean: beanWord(command.bean), mark: command.mark }),
  "make-promise": () => t("command.make-promise"),
  "withdraw-promise": () => t("command.withdraw-promise"),
};

function lastNamed(table: TableModel): string | Inflected {
  const phase = table.view?.phase;
  return named(phase?.phase === "gift" ? phase.named.at(-1)?.[1] : undefined);
}

/** From where a named bean would come; without one it is a bluff. */
function giftFrom(table: TableModel, command: Of<"name-gift">): "open" | "hand" | "bluff" {
  const [usual] = table.ways(command.bean);
  if (command.hand.length > 0) return "hand";
  return usual === undefined ? "bluff" : usual.source === "hand" ? "hand" : "open";
}

/**
 * What the server lists once though there is a choice: any copy to discard, a gift from the hand though one
 * lies open.
 */
export function spelledOut(table: TableModel): readonly AnyCommand[] {
  const rest = table.legal
    .filter((command) => command.do !== "discard-from-hand")
    .flatMap((command) => (command.do === "name-gift" ? [command, ...fromHand(command, table)] : [command]));
  const discards = table.choices?.discards ?? [];
  return [...rest, ...discards.flatMap(([place]) => discardOf(table, place) ?? [])];
}

function fromHand(command: Of<"name-gift">, table: TableModel): AnyCommand[] {
  const [usual, ...others] = table.ways(command.bean);
  const other = others.find((way) => way.source === "hand");
  if (usual?.source !== "face-up" || other === undefined) return [];
  return [{ ...command, hand: other.hand, hand_revision: table.view?.own?.hand_revision ?? 0 }];
}

const OF_OFFERS: readonly AnyCommand["do"][] = [
  "accept-offer",
  "claim",
  "pick",
  "decline-offer",
  "withdraw-offer",
];

const FIRST: readonly AnyCommand["do"][] = [
  "plant",
  "plant-set-aside",
  "plant-leftover",
  "plant-gift",
  "plant-face-up",
  "discard-leftover",
  "take-gift",
  "name-gift",
  "claim-bonus",
  "refill-bonus",
  "discard-bonus",
  "reveal",
  "discard-from-hand",
  "keep-hand",
  "leave-rest",
  "end-trading",
  "pass",
  "harvest",
  "buy-field",
];

/** Return what may be done, without answers to offers; what the turn asks for comes first. */
export function possibleCommands(table: TableModel): readonly AnyCommand[] {
  const found = spelledOut(table).filter((command) => !OF_OFFERS.includes(command.do));
  const rank = (command: AnyCommand): number =>
    FIRST.includes(command.do) ? FIRST.indexOf(command.do) : FIRST.length;
  const said = new Set<string>(); // cards of a kind are alike where they lie open, so each is named once
  const fresh = (command: AnyCommand): boolean => said.size < said.add(commandText(command, table)).size;
  return found.filter(fresh).sort((one, other) => rank(one) - rank(other));
}
