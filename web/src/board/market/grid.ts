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

/** Px that a row of tickets needs at least, and those between two rows. */
interface RowHeight {
  readonly least: number;
  readonly gap: number;
}

/** The heights of tickets by how they stand, in px. */
export const TICKETS = {
  /** In a small window: with all lines, on three, on two, and on one. */
  all: { least: 138, gap: 4 },
  low: { least: 87, gap: 4 },
  brief: { least: 62, gap: 2 },
  line: { least: 44, gap: 2 },
  /** Where a finger presses, and there are two columns: on one line, and whole. */
  finger: { least: 51, gap: 3 },
  tall: { least: 120, gap: 3 },
  /** One on a phone with all its lines. */
  phone: 118,
} as const;

/** Return how many rows of such tickets have room in so many px, one at least. */
export const rowsOf = ({ least, gap }: RowHeight, px: number): number =>
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

/**
 * Return the style that puts the list of what stands aside below the tickets of the last column in sight, or behind all
 * tickets where they fill it: none of them moves for it.
 */
export function listArea(tickets: number, { columns, rows }: Room): string {
  const filled = Math.floor(tickets / columns);
  if (filled < rows) return `grid-area: ${filled + 1} / ${columns} / span ${rows - filled};`;
  const behind = Math.ceil((tickets - columns * rows) / rows);
  return `grid-area: 1 / ${columns + behind + 1} / span ${rows};`;
}
