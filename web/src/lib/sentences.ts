/** Events in sentences: fills the texts of the catalog by the table that the terminal reads too (docs/narration.md). */
import {
  REMARK,
  SENTENCES,
  USUAL,
  type Parameter,
  type Parameters,
  type Side,
  type SentenceEntry,
} from "../generated/narration";
import type { Key } from "../generated/keys";
import type { Bean, Copy, Remark, ShownEvent } from "../generated/protocol";
import { BEANS, kind } from "./beans";
import { fellAway } from "./fellaway";
import { has, inForm, named, t, type Inflected } from "./i18n.svelte";
import type { Happening, TableModel } from "./model.svelte";
import { calledBy, listed, nameOf, userName } from "./names";
import { markBefore } from "./marks";
import { overDays } from "./overdays.svelte";

type Cards = readonly (Bean | Copy)[];

/** The form of people that says who they are, not what they are called: `{to_is, select, you {...} ...}`. */
const ARE = "is";

/** Who has done something, where the event itself does not say it. */
const ACTOR: Parameters = { you: ["is-you", "by"], player: ["name", "by"] };

/** Return what happened in one sentence; `null` for what is not worth one, and for what only a newer server tells. */
export function eventText(
  { event, cause, by }: Pick<Happening, "event" | "cause" | "by">,
  table: TableModel,
): string | null {
  const text = fullerText(event, by, table) ?? plainText(event, table);
  if (text === null || text === "") return text;
  return overDays.part?.withCause(text, { event, cause, by }, table) ?? text;
}

/** Return an event in a sentence that says more than the event tells by itself; `null` if nothing more is known. */
function fullerText(event: ShownEvent, by: number | undefined, table: TableModel): string | null {
  const end = (): number => table.log.findIndex((other) => other.event === event) + 1;
  switch (event.event) {
    case "offer-withdrawn": {
      const answered = fellAway(event.offer, table.log, end());
      if (answered !== null) return filled("table.offer-answered", ACTOR, { ...event, by: answered }, table);
      return by === undefined ? null : filled("table.offer-withdrawn", ACTOR, { ...event, by }, table);
    }
    case "promise-withdrawn": {
      const params: Parameters = { ...ACTOR, promise: ["number", "promise"] };
      return by === undefined ? null : filled("table.promise-withdrawn", params, { ...event, by }, table);
    }
    case "wish-set": {
      const was = event.mark === "none" ? markBefore(event, table.log, end()) : null;
      return was === null
        ? null
        : filled("table.wish-over", { was: ["word", "was"] }, { ...event, was }, table);
    }
    default:
      return null;
  }
}

/** Return an event in a sentence by what it tells itself; `null` for one that has none. */
function plainText(event: ShownEvent, table: TableModel): string | null {
  const key = `event.${event.event}`;
  const {
    params = {},
    sides,
    needs,
  } = (SENTENCES as Partial<Record<string, SentenceEntry>>)[event.event] ?? {};
  if (!has(key) || (needs !== undefined && at(event, needs) === null)) return null;
  return filled(key, params, sides ? seenFrom(table.seat, sides, event) : event, table);
}

/** Return what a computer player says, in the language shown; nothing, if it is of a newer server. */
export function remarkText({ key, params }: Pick<Remark, "key" | "params">, table: TableModel): string {
  return has(key) ? filled(key, REMARK, params, table) : "";
}

/** Return a text with what it names of these parameters, each in the form that it names. */
function filled(key: Key, params: Parameters, values: object, table: TableModel): string {
  const found: Record<string, string | number> = {};
  for (const name of named(key)) {
    const [plain = "", form = ""] = name.split("_");
    const param = params[plain] ?? USUAL[plain];
    if (param !== undefined) found[name] = written(param, values, form, table);
  }
  return t(key, found);
}

/** Return an exchange from the viewer's side, else from that of whoever gave something. */
function seenFrom(viewer: number | null, [maker, partner]: readonly [Side, Side], event: object): object {
  const one = { seat: at(event, maker.seat), gave: cards(event, maker.gave) };
  const other = { seat: at(event, partner.seat), gave: cards(event, partner.gave) };
  const turned = other.gave.length > 0 && (one.gave.length === 0 || other.seat === viewer);
  const [giver, taker] = turned ? [other, one] : [one, other];
  return { giver: giver.seat, gives: giver.gave, taker: taker.seat, takes: taker.gave };
}

/** Return what stands at a place. */
function at(values: object, place: string): unknown {
  return place.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], values);
}

/** Return the items of one place, or the cards of several. */
function cards(values: object, places: string): Cards {
  return places.split("+").flatMap((place) => at(values, place) as Cards);
}

const yes = (is: unknown): string => (is === true ? "yes" : "no");

/** Return a parameter as a text takes it, in a form. */
function written(
  [kind, place, other = ""]: Parameter,
  values: object,
  form: string,
  table: TableModel,
): string | number {
  const value = place.includes("+") ? cards(values, place) : at(values, place);
  switch (kind) {
    case "is-you":
      return yes(value === table.seat);
    case "is-user":
      return yes(value === table.user);
    case "flag":
      return yes(value);
    case "user-name":
      return userName(table, value as string);
    case "name":
      return form === ARE ? are(table, [value as number]) : nameOf(table, value as number);
    case "called":
      return form === ARE ? are(table, [value as number]) : calledBy(table, value as number, form);
    case "seats":
    case "group": {
      const seats = value as readonly number[];
      return form === ARE
        ? are(table, seats)
        : (kind === "group" ? groupText : seatsText)(table, seats, form);
    }
    case "bean":
      return beanText(value as Bean, form);
    case "beans":
      return beansText(
        (value as Cards).map((card) => (typeof card === "number" ? card : card[1])),
        form,
      );
    case "some":
      return someText(value as Bean, (at(values, other) as number | undefined) ?? 1, form);
    case "deal-kind":
      return offerType(value as Cards, cards(values, other));
    case "bonus":
      return bonusText(table, value as number, form);
    case "number":
      return value as number;
    case "length":
      return (value as Cards).length;
    case "price":
      return (value as Cards).length + ((at(values, other) as number | undefined) ?? 0);
    case "field":
      return (value as number) + 1; // people count from 1; the terminal's fields have the numbers of its commands
    case "word":
      return ((value as string | undefined) ?? "").replaceAll("-", "_"); // what is empty may be absent
    case "first":
      return [place, other].find((each) => (at(values, each) as Cards | string).length > 0) ?? "nothing";
  }
}

/** Return what an offer is, by what its maker gives and wants: an ask gives nothing, a gift wants nothing. */
export function offerType(gives: Cards, wants: Cards): "ask" | "gift" | "trade" {
  return gives.length === 0 ? "ask" : wants.length === 0 ? "gift" : "trade";
}

/** Return `you`, `one`, `all` (but one) or `many`, by which a sentence chooses its words. */
function are(table: TableModel, seats: readonly number[]): string {
  if (seats.length === 1) return seats[0] === table.seat ? "you" : "one";
  return seats.length === (table.view?.players.length ?? 0) - 1 ? "all" : "many";
}

/** Return seats as a list of who sits there, the viewer as "you". */
export function seatsText(table: TableModel, seats: readonly number[], form = ""): string {
  return listed(seats.map((seat) => calledBy(table, seat, form)));
}

/** Return seats as a list, or "everybody" for all but one of them. */
export function groupText(table: TableModel, seats: readonly number[], form = ""): string {
  return are(table, seats) === "all" ? t(inForm("words.everybody", form)) : seatsText(table, seats, form);
}

/** Return the name of a kind. */
export function beanText(bean: Bean, form = ""): string {
  return t(inForm(`bean.${kind(bean)}`, form));
}

function someText(bean: Bean, count: number, form: string): string {
  return t(inForm(`beans.${kind(bean)}`, form), { count });
}

/** Return beans counted by kind: "2 soy beans and 1 red bean". */
export function beansText(beans: readonly Bean[], form = ""): string {
  const parts = BEANS.filter((bean) => beans.includes(bean)).map((bean) =>
    someText(bean, beans.filter((other) => other === bean).length, form),
  );
  return parts.length > 0 ? listed(parts) : t(inForm("words.nothing", form));
}

/** A kind in all its forms, for a text to choose from. */
export function beanWord(bean: Bean): Inflected {
  return (form) => beanText(bean, form);
}

/** Beans counted by kind, in all their forms. */
export function beansWord(beans: readonly Bean[]): Inflected {
  return (form) => beansText(beans, form);
}

/** Seats as a list, in all its forms; the form `is` tells who they are. */
export function seatsWord(table: TableModel, seats: readonly number[]): Inflected {
  return (form) => (form === ARE ? are(table, seats) : seatsText(table, seats, form));
}

/** A seat as the viewer calls it, in all its forms. */
export function seatWord(table: TableModel, seat: number): Inflected {
  return seatsWord(table, [seat]);
}

/** Seats, or "everybody" for all but one of them, in all its forms. */
export function groupWord(table: TableModel, seats: readonly number[]): Inflected {
  return (form) => (form === ARE ? are(table, seats) : groupText(table, seats, form));
}

/** Return what a bonus card is called: by its pattern, "2-1-1". */
export function bonusName(table: TableModel, card: number): string {
  return table.view?.rules.bonus_cards[card]?.runs.join("-") ?? String(card);
}

/** Return what a bonus card has printed on it. */
export function bonusText(table: TableModel, card: number, form = ""): string {
  const printed = table.view?.rules.bonus_cards[card];
  const [pattern, pennies] = [printed?.runs.join("-") ?? "", printed?.pennies ?? 0];
  return t(inForm("words.bonus", form), { pattern, pennies });
}
