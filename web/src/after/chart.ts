/** The coin chart of a finished game: its numbers and where its lines run, without any drawing. */
import type { Summary } from "../generated/protocol";

/** How many coins everybody had at the end of a turn, and the entry that last changed them in it. */
export interface TurnCoins {
  readonly turn: number;
  readonly coins: readonly number[];
  /** The deal and the end have one, too; `null` where no coins moved. */
  readonly entry: number | null;
}

/** Return the coins at the end of every turn, from the deal (turn 0) on. */
export function byTurn(summary: Pick<Summary, "coins" | "turns" | "entries">): readonly TurnCoins[] {
  const [deal] = summary.coins;
  if (deal === undefined) return [];
  const rows: TurnCoins[] = [{ turn: 0, coins: deal.coins, entry: deal.entry }];
  for (let turn = 1, at = 1, now = deal.coins; turn <= summary.turns; turn += 1) {
    let entry = turn === summary.turns ? summary.entries - 1 : null;
    for (let next = summary.coins[at]; next !== undefined && next.turn <= turn; next = summary.coins[at]) {
      now = next.coins;
      entry = next.entry;
      at += 1;
    }
    rows.push({ turn, coins: now, entry });
  }
  return rows;
}

/** Return the place of the row whose turn is nearest to a part (0 to 1) of the way from the first turn to the last. */
export function nearest(rows: readonly TurnCoins[], part: number): number {
  const turns = rows.at(-1)?.turn ?? 0;
  const far = rows.map((row) => Math.abs(row.turn - part * turns));
  return far.indexOf(Math.min(...far));
}

/** Return only the turns in which somebody's coins changed, and the first and the last. */
export function changes(rows: readonly TurnCoins[]): readonly TurnCoins[] {
  return rows.filter(
    (row, at) =>
      at === 0 ||
      at === rows.length - 1 ||
      row.coins.some((coins, seat) => coins !== rows[at - 1]?.coins[seat]),
  );
}

/** Return round numbers from 0 to at least `most`, at most `count` steps. */
export function ticks(most: number, count: number): readonly number[] {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  const step = steps.find((size) => Math.ceil(most / size) <= count) ?? Math.ceil(most / count);
  const top = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: top + 1 }, (_, index) => index * step);
}

/** Where a chart is drawn, in px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Return how far the value of a turn or of coins lies inside the box. */
export function scale(value: number, most: number, length: number): number {
  return most <= 0 ? 0 : (value / most) * length;
}

/** Px from one of several equal lines to the next. */
const APART = 1.4;

/**
 * Return how far, in px, a seat's point is moved so that equal ones are seen: they lie around the number they stand
 * for, and a point that is alone lies on it.
 */
export function apart(coins: readonly number[], seat: number): number {
  const equal = coins.flatMap((other, at) => (other === coins[seat] ? [at] : []));
  return (equal.indexOf(seat) - (equal.length - 1) / 2) * APART;
}

/** Return how high a seat stands after a turn, in px from the top. */
export function heightOf(coins: readonly number[], seat: number, most: number, box: Box): number {
  return box.top + box.height - scale(coins[seat] ?? 0, most, box.height) + apart(coins, seat);
}

/** Return the line of one seat through all turns. */
export function line(rows: readonly TurnCoins[], seat: number, most: number, box: Box): string {
  const turns = rows.at(-1)?.turn ?? 0;
  return rows
    .map((row, at) => {
      const x = box.left + scale(row.turn, turns, box.width);
      return `${at === 0 ? "M" : "L"}${round(x)} ${round(heightOf(row.coins, seat, most, box))}`;
    })
    .join("");
}

/** The marks by seat, as paths around their middle: no two lines have the same. */
const MARKS = [
  "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", // a disc
  "m-3.6-3.6h7.2v7.2h-7.2z", // a square
  "m0-5l4.7 8.2h-9.4z", // a triangle
  "m0-5.2l4.4 5.2l-4.4 5.2l-4.4-5.2z", // a diamond
  "m-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z", // a cross
  "m0 5l-4.7-8.2h9.4z", // a triangle that stands on its top
  "m0-5.2l1.5 3.6l3.7.2l-2.9 2.5l1 3.8l-3.3-2.1l-3.3 2.1l1-3.8l-2.9-2.5l3.7-.2z", // a star
] as const;

/** Return the mark of a seat at a place. */
export const mark = (seat: number, x: number, y: number): string =>
  `M${round(x)} ${round(y)}${MARKS[seat % MARKS.length] ?? ""}`;

/** Return the marks of a seat: one where its coins changed, and one at the end. */
export function marks(rows: readonly TurnCoins[], seat: number, most: number, box: Box): string {
  const turns = rows.at(-1)?.turn ?? 0;
  return rows
    .filter((row, at) => at === rows.length - 1 || (at > 0 && row.coins[seat] !== rows[at - 1]?.coins[seat]))
    .map((row) =>
      mark(seat, box.left + scale(row.turn, turns, box.width), heightOf(row.coins, seat, most, box)),
    )
    .join("");
}

/** Move labels apart so that each has `gap` px to the next, all between `low` and `high` as far as there is room. */
export function dodge(wanted: readonly number[], gap: number, low: number, high: number): readonly number[] {
  const order = wanted
    .map((_, index) => index)
    .sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0) || one - other);
  const placed = new Array<number>(wanted.length).fill(0);
  let least = low;
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? 0, least);
    least = (placed[index] ?? 0) + gap;
  }
  let most = Math.max(high, low + gap * (wanted.length - 1));
  for (const index of [...order].reverse()) {
    placed[index] = Math.min(placed[index] ?? 0, most);
    most = (placed[index] ?? 0) - gap;
  }
  return placed;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
