import type { Bean, Offer, OfferView, ShownEvent } from "../generated/protocol";
import { BEANS, kind } from "./beans";
import { has, t, type Params } from "./i18n.svelte";
import type { Happening, TableModel } from "./model.svelte";
import { calledBy, listed, nameOf } from "./names";

type Of<Tag extends ShownEvent["event"]> = Extract<ShownEvent, { event: Tag }>;
type Tellers = { readonly [Tag in ShownEvent["event"]]: (table: TableModel, event: Of<Tag>) => Params | null };

/** Return what happened in one sentence; `null` for what is not worth one. */
export function tell(happening: Pick<Happening, "event">, table: TableModel): string | null {
  const { event } = happening;
  const key = `event.${event.event}`;
  const teller = TELLERS[event.event] as ((table: TableModel, event: ShownEvent) => Params | null) | undefined;
  if (teller === undefined || !has(key)) return null; // of a newer server
  const params = teller(table, event);
  return params === null ? null : t(key, params);
}

/** Return beans counted by kind: "2 soy beans and 1 red bean". */
export function beansText(beans: readonly Bean[]): string {
  const parts = BEANS.filter((bean) => beans.includes(bean)).map((bean) =>
    t(`beans.${kind(bean)}`, { count: beans.filter((other) => other === bean).length }),
  );
  return parts.length > 0 ? listed(parts) : t("words.nothing");
}

/** Return the name of a kind. */
export function beanText(bean: Bean): string {
  return t(`bean.${kind(bean)}`);
}

/** Return seats as a list, or "everybody" for all but one of them. */
export function groupText(table: TableModel, seats: readonly number[]): string {
  const all = table.view?.players.length ?? 0;
  return seats.length === all - 1 && seats.length > 1 ? t("words.everybody") : listed(seats.map((seat) => calledBy(table, seat)));
}

const who = (table: TableModel, event: { readonly player: number }): Params => ({
  you: event.player === table.seat ? "yes" : "no", player: nameOf(table, event.player),
});
const nothing = (): Params => ({});
const quiet = (): null => null;
const ofBean = (table: TableModel, event: { readonly player: number; readonly bean: Bean }): Params => ({ ...who(table, event), bean: beanText(event.bean) });
const ofBeans = (table: TableModel, event: { readonly player: number; readonly beans: readonly Bean[] }): Params => ({
  ...who(table, event), beans: beansText(event.beans), count: event.beans.length,
});
const onField = (table: TableModel, event: { readonly player: number; readonly bean: Bean; readonly field: number }): Params => ({
  ...ofBean(table, event), field: event.field + 1,
});
const counting = (table: TableModel, event: { readonly player: number; readonly count: number }): Params => ({ ...who(table, event), count: event.count });
const count = (_: TableModel, event: { readonly count: number }): Params => ({ count: event.count });
const offerNumber = (table: TableModel, event: { readonly offer: number; readonly player?: number }): Params => ({
  ...(event.player === undefined ? {} : who(table, { player: event.player })), offer: event.offer,
});
const seated = (table: TableModel, event: { readonly seat: number }): Params => who(table, { player: event.seat });

function terms(gives: readonly Bean[], wants: readonly Bean[]): Params {
  const is = gives.length === 0 ? "ask" : wants.length === 0 ? "gift" : "trade";
  return { kind: is, gives: beansText(gives), wants: beansText(wants) };
}

function cards(cards: Offer["hand"] | readonly Bean[]): readonly Bean[] {
  return cards.map((card) => (typeof card === "number" ? card : card[1]));
}

function offered(table: TableModel, event: { readonly offer: Offer | OfferView; readonly edited?: boolean }): Params {
  const { offer } = event;
  return {
    ...terms([...cards(offer.hand), ...cards(offer.face_up)], offer.want), ...who(table, { player: offer.maker }),
    to: groupText(table, offer.to), offer: offer.id, edited: event.edited === true ? "yes" : "no",
  };
}

/** A trade is told from the viewer's side, else from that of whoever gave something. */
function traded(table: TableModel, event: Of<"traded-shown">): Params {
  const one = { seat: event.maker, gives: [...event.maker_hand, ...cards(event.maker_face_up)] };
  const other = { seat: event.partner, gives: [...event.partner_hand, ...cards(event.partner_face_up)] };
  let [giver, taker] = one.gives.length === 0 || other.seat === table.seat ? [other, one] : [one, other];
  if (giver.gives.length === 0) [giver, taker] = [taker, giver];
  return { ...terms(giver.gives, taker.gives), ...who(table, { player: giver.seat }), partner: calledBy(table, taker.seat) };
}

/** Return what a bonus card is called: by its pattern, "2-1-1". */
export function bonusName(table: TableModel, card: number): string {
  return table.view?.rules.bonus_cards[card]?.runs.join("-") ?? String(card);
}

/** Return what a bonus card has printed on it. */
export function bonusText(table: TableModel, card: number): string {
  const printed = table.view?.rules.bonus_cards[card];
  return t("words.bonus", { number: card, pattern: printed?.runs.join("-") ?? "", pennies: printed?.pennies ?? 0 });
}

const bonus = (table: TableModel, event: { readonly player: number; readonly bonus: number }): Params => ({ ...who(table, event), bonus: bonusText(table, event.bonus) });
const giftTaken = (table: TableModel, event: { readonly player: number; readonly giver: number; readonly bean: Bean }): Params => ({
  ...ofBean(table, event), giver: calledBy(table, event.giver),
});

function userName(table: TableModel, user: string | null): string {
  return (user === null ? "" : table.people[user]?.name) || t("app.nobody");
}

/** What the text of each event is given; it is a type error to forget one. */
const TELLERS: Tellers = {
  "dealt-shown": (table, event) => who(table, { player: event.starter }),
  "turn-began": (table, event) => ({ ...who(table, event), count: event.leftovers.length, beans: beansText(event.leftovers) }),
  "turned-over": ofBeans, swept: ofBeans, "trading-began": who, "face-up-began": who, "haggling-began": who,
  drew: ofBeans, "drew-hidden": counting, exhausted: count, "reshuffled-hidden": count,
  "game-ended": (table, event) => ({ winners: listed(event.result.winners.map((seat) => calledBy(table, seat))), count: event.result.winners.length }),
  planted: onField, "set-aside-planted": onField, "leftover-planted": onField, "face-up-planted": onField, "gift-planted": onField,
  harvested: (table, event) => ({ ...who(table, event), field: event.field + 1, beans: beansText([...event.coins, ...event.discards]), coins: event.coins.length }),
  "field-bought": (table, event) => ({ ...who(table, event), count: event.coins.length, to: event.to }),
  "offer-made": offered, "offer-edited": offered, "offer-shown": offered,
  "offer-withdrawn": offerNumber, "offer-declined": offerNumber, "offer-claimed": offerNumber, "claim-shown": offerNumber,
  "claim-withdrawn": offerNumber, "claim-voided": offerNumber, "offer-voided": offerNumber,
  "traded-shown": traded, passed: who, "trading-closed": who,
  "leftover-discarded": ofBean, "leftovers-done": nothing, "hand-discarded": ofBean, "hand-discard-shown": ofBean, "hand-kept": who,
  "rest-left": ofBeans, "gift-named": ofBean, "gift-shown": ofBean, "gift-taken": giftTaken, "gift-taken-shown": giftTaken, "bluff-caught": giftTaken,
  "bluff-paid": (table, event) => ({ ...who(table, { player: event.giver }), what: event.coin !== "" ? "coin" : event.bonus.length > 0 ? "bonus" : "nothing" }),
  "bluff-paid-shown": (table, event) => ({ ...who(table, { player: event.giver }), what: "nothing" }),
  "haggling-closed": nothing, "bonus-began": nothing, "bonus-stood": bonus, "bonus-claimed": bonus, "bonus-discarded": bonus, "bonus-discard-shown": who,
  "bonus-refilled": (table, event) => ({ ...who(table, event), count: event.cards.length }), "bonus-refill-shown": counting, "bonus-reshuffle-shown": count,
  "wish-set": (table, event) => ({ ...ofBean(table, event), mark: event.mark }),
  "promise-made": (table, { promise }) => ({
    ...terms(promise.give, promise.get), ...who(table, promise), to: calledBy(table, promise.to), due: promise.due.replace("-", "_"), promise: promise.id,
  }),
  "promise-withdrawn": (_, event) => ({ promise: event.promise }),
  "table-opened": quiet, "options-chosen": nothing, sat: seated, stood: seated, "salt-given": quiet, "bot-seated": seated, "bot-removed": quiet, kicked: seated,
  "host-passed": (table, event) => (event.user === null ? null : { you: event.user === table.user ? "yes" : "no", player: userName(table, event.user) }),
  started: quiet, paused: nothing, resumed: nothing, "handed-over": seated, "taken-back": seated, "clock-missed": seated, "clocks-kept": quiet,
  "choice-called": (table, event) => ({ you: event.user === table.user ? "yes" : "no", player: userName(table, event.user) }),
  "last-call-began": nothing, "last-call-prolonged": quiet, finished: quiet, abandoned: nothing, "deal-revealed": quiet, "rematch-made": nothing,
};
