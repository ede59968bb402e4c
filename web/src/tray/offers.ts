import type { AnyCommand, Batch, Bean, Copy, OfferView, ShownEvent, TradeView, View } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";

/** An offer from where the viewer sits: what goes away from him, and what comes. */
export interface Sides {
  readonly give: readonly Bean[];
  readonly get: readonly Bean[];
}

/** How an offer concerns the viewer. */
export type Standing = "mine" | "for-me" | "declined" | "claimed" | "others";

/** Why an offer is gone; the code is the end of a catalog key. */
export type Gone = "traded" | "withdrawn" | "card-gone" | "closed";

/** An offer that has just gone, and why; `beans` are those that are no longer there. */
export interface Ghost {
  readonly offer: OfferView;
  readonly why: Gone;
  readonly beans: readonly Bean[];
}

/** Return the trading of a view, if it is on. */
export function trading(view: View | null): TradeView | null {
  return view?.phase.phase === "trade" ? view.phase : null;
}

/** Return all beans that the maker gives. */
export function given(offer: OfferView): readonly Bean[] {
  return [...offer.face_up.map(([, bean]) => bean), ...offer.hand];
}

/** Return the two sides of an offer as the viewer would have them: as its maker, else as whoever accepts it. */
export function sides(offer: OfferView, viewer: number | null): Sides {
  return offer.maker === viewer ? { give: given(offer), get: offer.want } : { give: offer.want, get: given(offer) };
}

/** Return how an offer concerns the viewer. */
export function standing(offer: OfferView, table: TableModel): Standing {
  const seat = table.seat;
  if (seat === null) return "others";
  if (offer.maker === seat) return "mine";
  if (!offer.to.includes(seat)) return "others";
  if (offer.claimers.includes(seat)) return "claimed";
  return table.view?.own?.refused.includes(offer.id) === true ? "declined" : "for-me";
}

const ORDER: Record<Standing, number> = { "for-me": 0, claimed: 1, mine: 2, declined: 3, others: 4 };

const rank = (offer: OfferView, table: TableModel): number => {
  const how = standing(offer, table);
  return how === "mine" && offer.claimers.length > 0 ? -1 : ORDER[how];
};

/** Return the offers with those first that wait for the viewer, his own that are answered before all; among equals the oldest comes first. */
export function ordered(offers: readonly OfferView[], table: TableModel): readonly OfferView[] {
  return [...offers].sort((one, other) => rank(one, table) - rank(other, table) || one.id - other.id);
}

/** Return the legal command with which the viewer takes an offer, if there is one. */
export function taking(offer: OfferView, legal: readonly AnyCommand[]): AnyCommand | undefined {
  return legal.find(
    (command) => (command.do === "accept-offer" || command.do === "claim") && command.offer === offer.id && command.revision === offer.revision,
  );
}

/** Return the command that would take an offer if one had the cards, to ask why it is not legal. */
export function wouldTake(offer: OfferView, table: TableModel): AnyCommand | null {
  const { seat, view } = table;
  const own = view?.own;
  if (seat === null || own == null) return null;
  const hand = frontMost(offer.want, own.hand);
  const base = { player: seat, offer: offer.id, revision: offer.revision, hand, hand_revision: own.hand_revision };
  return offer.open ? { do: "claim", ...base } : { do: "accept-offer", ...base, face_up: [] };
}

/** Return the front-most copies of these beans, as many as there are. */
export function frontMost(beans: readonly Bean[], hand: readonly Bean[]): readonly Copy[] {
  const used = new Set<number>();
  return beans.flatMap((bean): Copy[] => {
    const place = hand.findIndex((card, index) => card === bean && !used.has(index));
    if (place < 0) return [];
    used.add(place);
    return [[place, bean]];
  });
}

/** Tell whether the viewer has a choice of which copies leave his hand if he takes an offer. */
export function hasChoice(offer: OfferView, table: TableModel): boolean {
  const hand = table.view?.own?.hand ?? [];
  const faceUp = table.mine ? (trading(table.view)?.face_up ?? []) : [];
  const count = (cards: readonly Bean[], bean: Bean): number => cards.filter((card) => card === bean).length;
  return offer.want.some((bean) => {
    const have = count(hand, bean) + count(faceUp, bean);
    return have > count(offer.want, bean);
  });
}

/** Return the offers that are gone after a batch, each with the public reason. */
export function ghosts(was: View | null, now: View | null, batch: Batch): readonly Ghost[] {
  const before = trading(was)?.offers ?? [];
  const left = new Set((trading(now)?.offers ?? []).map((offer) => offer.id));
  const events = batch.events ?? [];
  return before.filter((offer) => !left.has(offer.id)).map((offer) => ({ offer, ...reason(offer, events) }));
}

function reason(offer: OfferView, events: readonly ShownEvent[]): Pick<Ghost, "why" | "beans"> {
  for (const event of events) {
    if (event.event === "traded-shown" && event.offer === offer.id) return { why: "traded", beans: [] };
    if (event.event === "offer-withdrawn" && event.offer === offer.id) return { why: "withdrawn", beans: [] };
  }
  const moved = new Set(events.flatMap((event) => movedBy(event, offer.maker)));
  const beans = [...new Set(given(offer))].filter((bean) => moved.has(bean));
  return beans.length > 0 || !events.some((event) => event.event === "trading-closed") ? { why: "card-gone", beans } : { why: "closed", beans: [] };
}

function movedBy(event: ShownEvent, seat: number): readonly Bean[] {
  if (event.event !== "traded-shown") return [];
  if (event.maker === seat) return [...event.maker_hand, ...event.maker_face_up.map(([, bean]) => bean)];
  if (event.partner === seat) return [...event.partner_hand, ...event.partner_face_up.map(([, bean]) => bean)];
  return [];
}

/** Return the places in the viewer's hand that a batch has emptied, from the back. */
export function emptied(batch: Batch, seat: number | null): readonly number[] {
  const places = (batch.events ?? []).flatMap((event): readonly number[] => {
    if (event.event === "planted" && event.player === seat) return [0];
    if (event.event === "traded-shown") return event.own.map(([place]) => place);
    if (event.event === "hand-discarded" && event.player === seat) return [event.place];
    if (event.event === "gift-taken" && event.giver === seat && event.source === "hand") return [event.place];
    return [];
  });
  return [...places].sort((one, other) => other - one);
}
