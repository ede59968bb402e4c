/** Which cards and coins travel over the board when something happens, and from where to where. */
import type { Bean, Batch, ShownEvent, View } from "../generated/protocol";

/** One card (or coin) that travels between two named places; of several names the first that is on the page counts. */
export interface Flight {
  /** `null` shows the back of a card. */
  readonly bean: Bean | null;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Whether it turns into a coin on the way, or is one. */
  readonly coin?: "becomes" | "is";
}

/** Cards that travel for one batch, at most: more could not be followed with the eye. */
const MOST = 12;

/** Return what travels in a batch, as the viewer on `seat` sees it; `was` is the view before. */
export function flightsOf(batch: Batch, was: View, seat: number | null): Flight[] {
  const found: Flight[] = [];
  const counts: Counts = {
    faceUp: faceUp(was).length,
    hand: batch.view?.own?.hand.length ?? was.own?.hand.length ?? 0,
  };
  for (const event of batch.events ?? []) found.push(...flights(event, was, seat, counts));
  return found.slice(0, MOST);
}

interface Counts {
  /** How many face-up cards lie there so far. */
  faceUp: number;
  /** How many cards the own hand has in the end. */
  readonly hand: number;
}

function faceUp(view: View): readonly Bean[] {
  const { phase } = view;
  return "face_up" in phase ? phase.face_up : "leftovers" in phase ? phase.leftovers : [];
}

function flights(event: ShownEvent, was: View, seat: number | null, counts: Counts): Flight[] {
  switch (event.event) {
    case "turned-over":
      return event.beans.map((bean) => ({
        bean,
        from: ["draw"],
        to: [`faceup-${counts.faceUp++}`, "market"],
      }));
    case "swept":
      return event.beans.map((bean) => ({
        bean,
        from: ["discard"],
        to: [`faceup-${counts.faceUp++}`, "market"],
      }));
    case "drew":
      return event.beans.map((bean, at, all) => ({
        bean,
        from: ["draw"],
        to: [`hand-${counts.hand - all.length + at}`, `seat-${event.player}`],
      }));
    case "drew-hidden":
      return [{ bean: null, from: ["draw"], to: [`seat-${event.player}`] }];
    case "planted":
      return [toField(event, hand(event.player, seat, 0))];
    case "set-aside-planted":
      return [
        toField(event, [
          `aside-${event.player}-${event.bean}`,
          `aside-${event.player}`,
          `seat-${event.player}`,
        ]),
      ];
    case "leftover-planted":
    case "face-up-planted":
      return [toField(event, [`faceup-${event.place}`, "market"])];
    case "gift-planted":
      return [toField(event, ["gift", "market"])];
    case "leftover-discarded":
      return [{ bean: event.bean, from: [`faceup-${event.place}`, "market"], to: ["discard"] }];
    case "hand-discarded":
    case "hand-discard-shown":
      return [
        {
          bean: event.bean,
          from: hand(event.player, seat, "place" in event ? event.place : 0),
          to: ["discard"],
        },
      ];
    case "gift-taken":
    case "gift-taken-shown":
      return gift(event, seat);
    case "bluff-paid":
      return event.coin === ""
        ? []
        : [
            {
              bean: null,
              coin: "is",
              from: [`coins-${event.giver}`, `seat-${event.giver}`],
              to: [`coins-${event.player}`, `seat-${event.player}`],
            },
          ];
    case "harvested":
      return harvest(event);
    case "field-bought":
      return [...event.coins, ...Array<null>(event.tokens ?? 0).fill(null)].map((bean) => ({
        bean,
        coin: "is",
        from: [`coins-${event.player}`, `seat-${event.player}`],
        to: event.to === "discard" ? ["discard"] : ["draw"],
      }));
    case "traded-shown":
      return trade(event, seat);
    case "trading-closed":
      return faceUp(was).map((bean, place) => ({ bean, from: [`faceup-${place}`], to: aside(event.player) }));
    default:
      return [];
  }
}

const hand = (player: number, seat: number | null, place: number): string[] =>
  player === seat ? [`hand-${place}`] : [`seat-${player}`];

const aside = (player: number): string[] => [`aside-${player}`, `seat-${player}`];

const field = (player: number, at: number): string[] => [`field-${player}-${at}`, `seat-${player}`];

function toField(
  event: { readonly player: number; readonly field: number; readonly bean: Bean },
  from: readonly string[],
): Flight {
  return { bean: event.bean, from, to: field(event.player, event.field) };
}

function harvest(event: Extract<ShownEvent, { event: "harvested" }>): Flight[] {
  const from = field(event.player, event.field);
  const coins = event.coins.map((bean): Flight => ({
    bean,
    coin: "becomes",
    from,
    to: [`coins-${event.player}`, `seat-${event.player}`],
  }));
  const discards = event.discards.slice(0, 1).map((bean): Flight => ({ bean, from, to: ["discard"] }));
  return [...coins, ...discards];
}

function gift(
  event: Extract<ShownEvent, { event: "gift-taken" | "gift-taken-shown" }>,
  seat: number | null,
): Flight[] {
  const place = "place" in event ? event.place : 0;
  const from = event.source === "face-up" ? [`faceup-${place}`, "market"] : hand(event.giver, seat, place);
  return [{ bean: event.bean, from, to: ["gift", "market"] }];
}

function trade(event: Extract<ShownEvent, { event: "traded-shown" }>, seat: number | null): Flight[] {
  const { maker, partner } = event;
  const faceUp = (copies: typeof event.maker_face_up, to: number): Flight[] =>
    copies.map(([place, bean]) => ({ bean, from: [`faceup-${place}`, "market"], to: aside(to) }));
  const hands = (giver: number, beans: readonly Bean[], to: number): Flight[] => {
    const own = giver === seat ? event.own : beans.map((bean): readonly [number, Bean] => [0, bean]);
    return own.map(([place, bean]) => ({ bean, from: hand(giver, seat, place), to: aside(to) }));
  };
  return [
    ...hands(maker, event.maker_hand, partner),
    ...faceUp(event.maker_face_up, partner),
    ...hands(partner, event.partner_hand, maker),
    ...faceUp(event.partner_face_up, maker),
  ];
}
