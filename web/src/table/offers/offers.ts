/** Offers as the viewer sees them: what they mean to him, how to accept them, and why they ended. */
import type {
  AnyCommand,
  Batch,
  Bean,
  Copy,
  OfferView,
  ShownEvent,
  TradedShown,
  TradeView,
  View,
} from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import { fellAway } from "../../lib/fellaway";
import type { Happening, TableModel } from "../../lib/model.svelte";
import { offerType } from "../../lib/sentences";

/** An offer from where the viewer sits: what goes away from him, and what comes. */
export interface Sides {
  readonly give: readonly Bean[];
  readonly get: readonly Bean[];
}

/**
 * How an offer concerns the viewer: `for-me` waits for his answer; `lacking` is one to him that he cannot take, for
 * want of the beans, or that asks for what he has said he keeps; `countered` one that he has answered with an offer of
 * his own, which stands or was carried out.
 */
export type OfferRole = "mine" | "for-me" | "lacking" | "countered" | "declined" | "claimed" | "others";

/** Why an offer is gone; the code is the end of a catalog key. */
export type GoneReason = "traded" | "withdrawn" | "answered" | "card-gone" | "closed";

/** An offer that has just gone, and why; `beans` are those that are no longer there. */
export interface GoneOffer {
  readonly offer: OfferView;
  readonly why: GoneReason;
  readonly beans: readonly Bean[];
  /** With whom its maker has traded, if that ended it. */
  readonly partner: number | null;
}

/** Return the trading phase of a view, or `null` in any other phase. */
export function trading(view: View | null): TradeView | null {
  return view?.phase.phase === "trade" ? view.phase : null;
}

/** Return all beans that the maker gives. */
export function given(offer: OfferView): readonly Bean[] {
  return [...offer.face_up.map(([, bean]) => bean), ...offer.hand];
}

/** Return the words on the button that picks somebody who would take an own offer. */
export function pickText(offer: OfferView, name: string): string {
  return t("tray.pick", { kind: offerType(given(offer), offer.want), name });
}

/** Return the two sides of an offer as the viewer would have them: as its maker, else as whoever accepts it. */
export function sides(offer: OfferView, viewer: number | null): Sides {
  return offer.maker === viewer
    ? { give: given(offer), get: offer.want }
    : { give: offer.want, get: given(offer) };
}

/** Return how an offer concerns the viewer. */
export function roleOf(offer: OfferView, table: TableModel): OfferRole {
  const seat = table.seat;
  if (seat === null) return "others";
  if (offer.maker === seat) return "mine";
  if (!offer.to.includes(seat)) return "others";
  if (offer.claimers.includes(seat)) return "claimed";
  if (table.view?.own?.refused.includes(offer.id) === true) return "declined";
  if (!canTake(offer, table) || keptOf(offer, table).length > 0) return "lacking";
  return isCountered(offer, table) ? "countered" : "for-me";
}

/** Return the offers that wait for the viewer's answer: whatever counts or names them does it by this. */
export function offersWaiting(table: TableModel): readonly OfferView[] {
  const offers = trading(table.view)?.offers ?? [];
  return offers.filter((offer) => roleOf(offer, table) === "for-me");
}

/** Return the numbers of the offers that need the viewer, his answer or whom he picks, the oldest first. */
export function needing(offers: readonly OfferView[], table: TableModel): readonly number[] {
  return offers
    .filter((offer) => hasClaims(offer, table) || roleOf(offer, table) === "for-me")
    .map(({ id }) => id)
    .sort((one, other) => one - other);
}

/** Return the number of the viewer's newest offer, 0 without any. */
export function newestOwn(table: TableModel): number {
  const own = (trading(table.view)?.offers ?? []).filter(({ maker }) => maker === table.seat);
  return Math.max(0, ...own.map(({ id }) => id));
}

/** Remember that the viewer has answered an offer with one of his own, made `after` that number. */
export function noteCounter(offer: OfferView, table: TableModel, after: number): void {
  table.countered = new Map([...table.countered, [nameOfOffer(offer, table), after]]);
}

/** Remember, before it is gone, which offers a counter-offer of the viewer had answered that is carried out. */
export function noteSettled({ offer: id, maker }: TradedShown, table: TableModel): void {
  if (maker !== table.seat) return;
  const settled = (trading(table.view)?.offers ?? []).filter((offer) => answerTo(offer, table)?.id === id);
  table.settled = [...table.settled, ...settled.map((offer) => nameOfOffer(offer, table))];
}

const nameOfOffer = ({ id, revision }: OfferView, table: TableModel): string =>
  `${table.view?.turn ?? 0}: ${id}.${revision}`;

/** Tell whether the viewer has countered an offer, and his answer was carried out, or stands and was not declined. */
function isCountered(offer: OfferView, table: TableModel): boolean {
  if (table.settled.includes(nameOfOffer(offer, table))) return true;
  const answer = answerTo(offer, table);
  return answer !== undefined && !declinedBy(answer, table).includes(offer.maker);
}

/** Return the viewer's answer to an offer, if he has countered: the first that he has made its maker since. */
export function answerTo(offer: OfferView, table: TableModel): OfferView | undefined {
  const after = table.countered.get(nameOfOffer(offer, table));
  if (after === undefined) return undefined;
  return (trading(table.view)?.offers ?? []).find(
    ({ id, maker, to }) => maker === table.seat && id > after && to.length === 1 && to[0] === offer.maker,
  );
}

/**
 * Return the standing offer of the viewer that an offer to him alone has to do with: the newest older one to its maker
 * about one of the same kinds. The log does not say what an offer is meant for.
 */
export function answersOwn(offer: OfferView, table: TableModel): OfferView | undefined {
  if (table.seat === null || offer.maker === table.seat || offer.to.join() !== String(table.seat))
    return undefined;
  const about = (own: OfferView): boolean =>
    given(own).some((bean) => offer.want.includes(bean)) ||
    own.want.some((bean) => given(offer).includes(bean));
  return (trading(table.view)?.offers ?? []).findLast(
    (own) => own.maker === table.seat && own.id < offer.id && own.to.includes(offer.maker) && about(own),
  );
}

/** Tell whether the viewer could take an offer now; in a replay nobody takes any. */
function canTake(offer: OfferView, table: TableModel): boolean {
  return table.choices === null || acceptance(offer, table.legal) !== undefined;
}

/**
 * Return what an offer asks the viewer for though he has said that he keeps it. An answer to an offer of his own may
 * ask for it: he is to see what he could have.
 */
export function keptOf(offer: OfferView, table: TableModel): readonly Bean[] {
  if (answersOwn(offer, table) !== undefined) return [];
  const keep = table.seat === null ? [] : (table.view?.talk.wishes[table.seat]?.keep ?? []);
  return offer.want.filter((bean) => keep.includes(bean));
}

/** Return who has declined an own offer. */
export function declinedBy(offer: OfferView, table: TableModel): readonly number[] {
  return table.view?.own?.offers.find((own) => own.id === offer.id)?.declined ?? [];
}

/** Tell whether the offer is the viewer's own, and somebody would take it: he is to pick one. */
export function hasClaims(offer: OfferView, table: TableModel): boolean {
  return offer.maker === table.seat && offer.claimers.length > 0;
}

const ORDER: Record<OfferRole, number> = {
  "for-me": 0,
  claimed: 1,
  mine: 2,
  countered: 3,
  lacking: 4,
  declined: 5,
  others: 6,
};

const rank = (offer: OfferView, table: TableModel): number =>
  hasClaims(offer, table) ? -1 : ORDER[roleOf(offer, table)];

/**
 * Return the offers with those first that wait for the viewer, his own that have claims before all; among
 * equals the oldest comes first.
 */
export function ordered(offers: readonly OfferView[], table: TableModel): readonly OfferView[] {
  return [...offers].sort((one, other) => rank(one, table) - rank(other, table) || one.id - other.id);
}

/** Tell whether an offer asks for cards and gives nothing. */
const begs = (offer: OfferView): boolean => offer.want.length > 0 && given(offer).length === 0;

/** Tell whether an offer that the viewer may answer asks him for a gift, which is no bargain. */
export function asksForGift(offer: OfferView, table: TableModel): boolean {
  const role = roleOf(offer, table);
  return (role === "for-me" || role === "countered") && begs(offer);
}

/** Tell whether an offer stands aside: it goes to others, or the viewer cannot take it or has said no. */
export function standsAside(offer: OfferView, table: TableModel): boolean {
  const role = roleOf(offer, table);
  return table.seat !== null && (role === "lacking" || role === "declined" || role === "others");
}

/** Tell whether nobody is left who could take an own offer: all whom it is for have declined. */
export function isRefused(offer: OfferView, table: TableModel): boolean {
  if (offer.maker !== table.seat || hasClaims(offer, table)) return false;
  const declined = declinedBy(offer, table);
  return offer.to.every((seat) => declined.includes(seat));
}

/** What an offer needs of the viewer, as ranks: to pick who gets it, to answer it, or nothing. */
export const NEEDS = { pick: 0, answer: 1, nothing: 2, dead: 3 } as const;

/** Return how much an offer needs the viewer, the lowest rank the most. */
export function needOf(offer: OfferView, table: TableModel): number {
  if (hasClaims(offer, table)) return NEEDS.pick;
  const role = roleOf(offer, table);
  if (role === "for-me") return NEEDS.answer;
  return role === "countered" || isRefused(offer, table) ? NEEDS.dead : NEEDS.nothing;
}

/** Return the legal command by which the viewer accepts or claims an offer, if there is one. */
export function acceptance(offer: OfferView, legal: readonly AnyCommand[]): AnyCommand | undefined {
  return legal.find(
    (command) =>
      (command.do === "accept-offer" || command.do === "claim") &&
      command.offer === offer.id &&
      command.revision === offer.revision,
  );
}

/** Return the command with which the viewer would take an offer, legal or not, to ask the server why it is refused. */
export function attemptedAcceptance(offer: OfferView, table: TableModel): AnyCommand | null {
  const { seat, view } = table;
  const own = view?.own;
  if (seat === null || own == null) return null;
  const { hand = [], face_up = [] } = table.proposedCopies(offer.id) ?? {};
  const base = {
    player: seat,
    offer: offer.id,
    revision: offer.revision,
    hand,
    hand_revision: own.hand_revision,
  };
  return offer.open ? { do: "claim", ...base } : { do: "accept-offer", ...base, face_up };
}

/** Tell whether the viewer has a choice of which copies leave his hand if he takes an offer. */
export function hasChoice(offer: OfferView, table: TableModel): boolean {
  return table.proposedCopies(offer.id)?.choice ?? false;
}

/**
 * Return the offers that are gone after a batch, each with the reason that the events of the batch give, and the `log`
 * that ends with them.
 */
export function goneOffers(
  was: View | null,
  now: View | null,
  batch: Batch,
  log: readonly Happening[] = [],
): readonly GoneOffer[] {
  const before = trading(was)?.offers ?? [];
  const left = new Set((trading(now)?.offers ?? []).map((offer) => offer.id));
  const events = batch.events ?? [];
  return before.filter((offer) => !left.has(offer.id)).map((offer) => withReason(offer, events, was, log));
}

/** Return whether a seat has given or got the cards of an exchange. */
export const isParty = (
  { maker, partner }: Pick<TradedShown, "maker" | "partner">,
  seat: number | null,
): boolean => seat !== null && (maker === seat || partner === seat);

/**
 * Return the gone offers that are told: beside an exchange of the viewer's own he need not read what fell by it. That
 * trading is over is told once, by the log, and not where each offer was.
 */
export function toldOf(gone: readonly GoneOffer[], seat: number | null): readonly GoneOffer[] {
  const own = gone.filter(
    ({ offer: { maker }, partner }) => partner !== null && isParty({ maker, partner }, seat),
  );
  return own.length > 0 ? own : gone.filter(({ why }) => why !== "closed");
}

function withReason(
  offer: OfferView,
  events: readonly ShownEvent[],
  was: View | null,
  log: readonly Happening[],
): GoneOffer {
  const names = (event: ShownEvent): boolean => "offer" in event && event.offer === offer.id;
  const end = events.find((event) => event.event in ENDS && names(event));
  const told = end === undefined ? "closed" : (ENDS[end.event] ?? "closed");
  const why = told === "withdrawn" && fellAway(offer.id, log) !== null ? "answered" : told;
  const partner = end?.event === "traded-shown" ? end.partner : null;
  return { offer, why, beans: why === "card-gone" ? missing(offer, events, was) : [], partner };
}

/** The events that end the offer they name; what else ends offers is that the market closes. */
const ENDS: Readonly<Partial<Record<ShownEvent["event"], GoneReason>>> = {
  "traded-shown": "traded",
  "offer-withdrawn": "withdrawn",
  "offer-voided": "card-gone",
};

/** Return the kinds by whose leaving an offer fell; of others' hands one knows what left, and not which copies. */
function missing(offer: OfferView, events: readonly ShownEvent[], was: View | null): readonly Bean[] {
  const traded = events.find((event) => event.event === "traded-shown");
  if (traded === undefined) return [];
  const away = (copies: readonly Copy[], left: readonly Copy[]): readonly Bean[] =>
    copies.filter(([place]) => left.some(([other]) => other === place)).map(([, bean]) => bean);
  const own = was?.own?.offers.find((mine) => mine.id === offer.id);
  const hand = own === undefined ? handOf(traded, offer.maker) : away(own.hand, traded.own);
  const lying = away(offer.face_up, [...traded.maker_face_up, ...traded.partner_face_up]);
  return [...new Set([...offer.hand.filter((bean) => hand.includes(bean)), ...lying])];
}

/** Return what has left the hand of a seat in an exchange. */
function handOf(traded: TradedShown, seat: number): readonly Bean[] {
  return seat === traded.maker ? traded.maker_hand : seat === traded.partner ? traded.partner_hand : [];
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
