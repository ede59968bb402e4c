/** What the steps of a lesson see of the table: whose cards lie where, and which offers there are. */
import type { Bean, OfferView, View } from "../generated/protocol";
import type { StepContext } from "./steps";

export const BEFORE_PLANTING = ["plant", "reveal", "trade"] as const;

export const phase = (now: StepContext): View["phase"]["phase"] => now.view.phase.phase;
export const own = (now: StepContext): readonly Bean[] => now.view.own?.hand ?? [];
export const aside = (now: StepContext): readonly Bean[] => now.view.players[now.seat]?.set_aside ?? [];
export const coins = (now: StepContext): number => now.view.players[now.seat]?.coins ?? 0;
export const fields = (now: StepContext): readonly (readonly Bean[])[] =>
  now.view.players[now.seat]?.fields ?? [];
export const planted = (now: StepContext): number =>
  now.view.phase.phase === "plant" ? now.view.phase.planted : 0;
export const faceUp = (now: StepContext): readonly Bean[] =>
  now.view.phase.phase === "trade" ? now.view.phase.face_up : [];
export const turnIs = (now: StepContext, turn: number): boolean => now.view.turn === turn;

/** Tell whether a turn is behind, or has left these phases. */
export const beyond = (now: StepContext, turn: number, ...phases: readonly string[]): boolean =>
  now.view.turn > turn || (now.view.turn === turn && !phases.includes(phase(now)));

/** Return the largest number of a kind on one own field. */
export const growing = (now: StepContext, bean: Bean): number =>
  Math.max(0, ...fields(now).map((field) => (field[0] === bean ? field.length : 0)));

/** Tell whether a kind has an own field already, or could begin one. */
export const fits = (now: StepContext, bean: Bean): boolean =>
  growing(now, bean) > 0 || fields(now).some((field) => field.length === 0);

/** Return the own field on which a bean is alone while another has two or more; -1 if there is none. */
export const single = (now: StepContext): number =>
  fields(now).some((field) => field.length > 1) ? fields(now).findIndex((field) => field.length === 1) : -1;

/** Tell whether cards are exactly these kinds, in any order. */
export function same(cards: readonly Bean[], kinds: readonly Bean[]): boolean {
  const sorted = (beans: readonly Bean[]): string => [...beans].sort((one, other) => one - other).join();
  return sorted(cards) === sorted(kinds);
}

/** Return all offers that stand. */
export const offers = (now: StepContext): readonly OfferView[] =>
  now.view.phase.phase === "trade" ? now.view.phase.offers : [];

/** Tell whether one has what an offer asks for, in the hand or among the cards that one trades with. */
export function payable(now: StepContext, offer: OfferView): boolean {
  const left = [...own(now), ...(now.view.active_player === now.seat ? faceUp(now) : [])];
  return offer.want.every((bean) => {
    const at = left.indexOf(bean);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Return the offers that wait for one's answer: those that one could take. */
export function forMe(now: StepContext): readonly OfferView[] {
  const refused = now.view.own?.refused ?? [];
  return offers(now).filter(
    (offer) =>
      offer.to.includes(now.seat) &&
      !refused.includes(offer.id) &&
      !offer.claimers.includes(now.seat) &&
      payable(now, offer),
  );
}

/** Tell whether an offer is one of these cards for those, whether they lie face up or not. */
export const isOffer = (offer: OfferView, gives: readonly Bean[], wants: readonly Bean[]): boolean =>
  same([...offer.hand, ...offer.face_up.map(([, bean]) => bean)], gives) && same(offer.want, wants);

/** Tell whether everybody who was asked has declined an own offer. */
export function declined(now: StepContext, offer: OfferView): boolean {
  const known = now.view.own?.offers.find((mine) => mine.id === offer.id)?.declined ?? [];
  return offer.to.length > 0 && offer.to.every((seat) => known.includes(seat));
}

/** Return the selector of the first hand card of a kind. */
export const card = (now: StepContext, bean: Bean): string => `[data-card="${own(now).indexOf(bean)}"]`;

/** Return the selector of the own field of a kind. */
export const grown = (now: StepContext, bean: Bean): string =>
  `[data-field="${fields(now).findIndex((field) => field[0] === bean)}"]`;

/** Return the selectors of a part of a ticket, and of the ticket. */
export const ticket = (offer: OfferView, part: string): readonly string[] => [
  `[data-offer="${offer.id}"] ${part}`,
  `[data-offer="${offer.id}"]`,
];
