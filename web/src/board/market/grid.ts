/** In which row and column of the market a ticket stands. */

/** How many columns and rows of tickets are in sight together. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** Px between two tickets of a wide window, and what one of them needs at least. */
const GAP = 8;
const LEAST = 226;

/** How many columns a wide market has at most. */
const MOST = 4;

/** Return how many tickets of a wide window have room beside one another in so many px. */
export const columnsIn = (px: number): number =>
  Math.min(MOST, Math.max(1, Math.floor((px + GAP) / (LEAST + GAP))));

/** Return how many rows of `least` px with a `gap` between them have room in so many px. */
export const rowsIn = (px: number, least: number, gap: number): number =>
  Math.max(1, Math.floor((px + gap) / (least + gap)));

/**
 * Return the style that puts a ticket into its row and column, by its place from 0: row by row as far as there is room,
 * so that the first row has no less when the others give their room away, and column by column behind.
 */
export function areaOf(place: number, { columns, rows }: Room): string {
  const behind = place - columns * rows;
  const [row, column] =
    behind < 0
      ? [Math.floor(place / columns), place % columns]
      : [behind % rows, columns + Math.floor(behind / rows)];
  return `grid-area: ${row + 1} / ${column + 1};`;
}
