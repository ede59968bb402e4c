/** Follows chosen hand cards to their new places when other cards leave the hand. */
import type { ShownEvent } from "../../generated/protocol";

/** Return the places of the own hand that cards of one event leave, as they lay before it. */
function leaves(event: ShownEvent, seat: number): readonly number[] {
  switch (event.event) {
    case "planted":
      return event.player === seat ? [0] : [];
    case "hand-discarded":
      return event.player === seat ? [event.place] : [];
    case "gift-taken":
      return event.giver === seat && event.source === "hand" ? [event.place] : [];
    case "traded-shown":
      return event.maker === seat || event.partner === seat ? event.own.map(([place]) => place) : [];
    default:
      return [];
  }
}

/**
 * Follow the cards of the own hand through a batch: names (keys) of cards, front first, after it.
 *
 * Cards leave from anywhere and arrive at the back only, so a card that stays has the same name.
 */
export function followed(
  keys: readonly number[],
  events: readonly ShownEvent[],
  seat: number,
  size: number,
  fresh: () => number,
): number[] {
  let left = [...keys];
  for (const event of events) {
    const gone = new Set(leaves(event, seat));
    if (gone.size > 0) left = left.filter((_, place) => !gone.has(place));
  }
  left = left.slice(0, size);
  while (left.length < size) left.push(fresh());
  return left;
}

/** Put chosen places where the same cards lie now; those that are gone are dropped. */
export function moved(
  places: readonly number[],
  before: readonly number[],
  after: readonly number[],
): number[] {
  return places.map((place) => after.indexOf(before[place] ?? -1)).filter((place) => place >= 0);
}

/** How cards lie side by side: the whole front, then a step for each further card. */
export interface Spread {
  /** From one card to the next, in px. */
  readonly step: number;
  /** Of the whole row, in px. */
  readonly width: number;
}

/** Lay `count` cards of one width behind a front of another into a row: side by side if they fit, else overlapping. */
export function spread(count: number, room: number, front: number, card: number, gap: number): Spread {
  const rest = count - 1;
  if (rest <= 0) return { step: card + gap, width: count <= 0 ? 0 : front };
  const free = room - front - 2 * gap;
  const step = rest === 1 ? card + gap : Math.min(card + gap, (free - card) / (rest - 1));
  return { step: Math.max(0, step), width: front + 2 * gap + Math.max(0, step) * (rest - 1) + card };
}

/** Where a card of the hand lies, in px from its front, in which row, and how much of it can be touched. */
export interface HandPlace {
  readonly left: number;
  readonly row: 0 | 1;
  readonly reach: number;
}

/**
 * Lay a hand into one row; where less than `least` px of a card could be touched there, behind the front into two, of
 * which the second lies over the lower part of the first.
 */
export function lay(
  count: number,
  room: number,
  front: number,
  card: number,
  gap: number,
  least: number,
): readonly HandPlace[] {
  const one = spread(count, room, front, card, gap);
  const rows = one.step >= Math.min(least, card) || count < 4 ? 1 : 2;
  const first = rows === 1 ? count : 1 + Math.ceil((count - 1) / 2);
  const { step } = spread(first, room, front, card, gap);
  return Array.from({ length: count }, (_, at): HandPlace => {
    if (at === 0) return { left: 0, row: 0, reach: front };
    const row = at < first ? 0 : 1;
    const nth = row === 0 ? at - 1 : at - first;
    const last = at === first - 1 || at === count - 1;
    return { left: front + 2 * gap + step * nth, row, reach: last ? card : Math.min(step, card) };
  });
}

/** Return which card of a hand lies under a point: of the row that is touched, the one that begins there last. */
export function under(x: number, row: 0 | 1, places: readonly HandPlace[]): number {
  let found = 0;
  places.forEach((place, at) => {
    if ((place.row === row || at === 0) && place.left <= x) found = at;
  });
  return found;
}
