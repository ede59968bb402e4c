/** In which row and column of the market a ticket stands. */

/** How many columns and rows of tickets are in sight together. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
  /** In which row from 0 the list of what stands aside begins in the last column; `rows` where there is none. */
  readonly list: number;
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

/** Return how many places lie above the list and beside it; in one column all of them come before it. */
export const placesBeside = ({ columns, rows, list }: Room): number =>
  columns === 1 ? rows : list * columns + (rows - list) * (columns - 1);

/**
 * Return the style that puts a ticket into its row and column, by its place from 0: row by row beside the list, so that
 * the first row has no less when the others give their room away; then where the list would stand, from above; then
 * column by column behind what is in sight.
 */
export function areaOf(place: number, room: Room): string {
  const [row, column] = cellOf(place, room);
  return `grid-area: ${row + 1} / ${column + 1};`;
}

/** Return the row from 0 in which a ticket stands. */
export const rowOf = (place: number, room: Room): number => cellOf(place, room)[0];

/** Return row and column of a place, each from 0. */
function cellOf(place: number, room: Room): readonly [number, number] {
  const { columns, rows, list } = room;
  const behind = place - columns * rows;
  const instead = place - placesBeside(room);
  const beside = columns === 1 ? -1 : place - list * columns;
  return behind >= 0
    ? [behind % rows, columns + Math.floor(behind / rows)]
    : instead >= 0
      ? [list + instead, columns - 1]
      : beside >= 0
        ? [list + Math.floor(beside / (columns - 1)), beside % (columns - 1)]
        : [Math.floor(place / columns), place % columns];
}

/**
 * Return the row from 0 in which a list would begin in the last column beside so many tickets; of two columns the first
 * row is kept for tickets, which stay there beside what is put together.
 */
export const listBegins = (tickets: number, columns: number, rows: number): number =>
  Math.min(rows, Math.max(columns === 2 && rows > 1 ? 1 : 0, Math.floor(tickets / columns)));

/** Whether so many tickets lie at the same places, wherever of the two rows the list begins in. */
export const lieAlike = (tickets: number, columns: number, one: number, other: number): boolean =>
  one === other || tickets <= Math.min(one, other) * columns + columns - 1;

/** Return the row from 0 in which the list stands: those tickets that take its place push it down. */
export function listRow(tickets: number, room: Room): number {
  if (room.columns === 1) return Math.min(room.rows, tickets);
  return Math.min(room.rows, room.list + Math.max(0, tickets - placesBeside(room)));
}

/**
 * Return the style that puts the list of what stands aside into the last column in sight from a row on, or behind all
 * tickets where they fill that column: none of them moves for it.
 */
export function listArea(tickets: number, row: number, { columns, rows }: Room): string {
  if (row < rows) return `grid-area: ${row + 1} / ${columns} / span ${rows - row};`;
  const behind = Math.max(0, Math.ceil((tickets - columns * rows) / rows));
  return `grid-area: 1 / ${columns + behind + 1} / span ${rows};`;
}

/** Where cells are free for a list: the first row and column, from 0, and how many columns. */
export interface Spare {
  readonly row: number;
  readonly column: number;
  readonly across: number;
}

/**
 * Return where there is room beside the last column: below all tickets, from row `from` on at the earliest, else behind
 * those of the last row; `null` where they take it all.
 */
export function spareBeside(tickets: number, from: number, room: Room): Spare | null {
  const { columns, rows } = room;
  const cells = Array.from({ length: tickets }, (_, at) => cellOf(at, room));
  const row = Math.max(from, ...cells.map(([taken]) => taken + 1));
  if (row < rows) return columns === 1 ? null : { row, column: 0, across: columns - 1 };
  const column = Math.max(0, ...cells.filter(([taken]) => taken === rows - 1).map(([, taken]) => taken + 1));
  return column < columns - 1 ? { row: rows - 1, column, across: columns - 1 - column } : null;
}

/** Return the style that puts a list there. */
export const spareArea = ({ row, column, across }: Spare, { rows }: Room): string =>
  `grid-area: ${row + 1} / ${column + 1} / span ${rows - row} / span ${across}; --across: ${across};`;
