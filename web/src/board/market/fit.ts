/** How many offers of a market have room, and in which form: whole tickets, three lines, two lines or one. */
import type { Size } from "../size.svelte";
import { columnsIn, placesBeside, rowOf, rowsOf, TICKETS, type Room } from "./grid";
import { roomWith, rowOfList, type ListPlace } from "./list-place";

/** Px at the sides of the tickets. */
const SIDE = 3;

/** At how large a table there are seldom more offers than two rows of wide tickets take. */
const FEW = 4;

/** What stood there when something began to be put together. */
export interface Opened {
  /** How many, how high the highest of them in px, in how many rows, with all lines or not. */
  readonly last: number;
  readonly tall: number;
  readonly rows: number;
  readonly all: boolean;
}

/** What the room of the offers depends on. */
export interface Wood {
  readonly size: Size;
  /** Px across and from above. */
  readonly width: number;
  readonly high: number;
  readonly players: number;
  /**
   * Whether more offers have concerned the viewer in this market than two rows of wide tickets take (`busy`), or two
   * rows of any (`crowded`): then they are less wide, and stand on three lines in a small window. They stay so until it
   * is over, for what comes and goes would move the others each time.
   */
  readonly busy: boolean;
  readonly crowded: boolean;
  /** What stood there when something began to be put together, `null` where nothing is. */
  readonly opened: Opened | null;
  readonly list: ListPlace;
  /** How many places tickets take, holes too. */
  readonly tickets: number;
  /** In which place from 0 the offer lies that is answered, or that it is in the list; `null` where none is. */
  readonly answering: number | "listed" | null;
}

/** How the offers stand. */
export interface Fit {
  /** How many columns are in sight; what stands aside is listed below the tickets of the last one. */
  readonly columns: number;
  readonly room: Room;
  /** The row from 0 of the offer that is answered, if its row has room as it is and the others have none. */
  readonly answered: number | null;
  /** Whether they stand whole beside what is put together. */
  readonly whole: boolean;
  /** Whether each has one line, or two with the names of the beans and what it would mean. */
  readonly slim: boolean;
  readonly brief: boolean;
  /** Whether a small window has room for all lines of two rows. */
  readonly roomy: boolean;
  /** Whether the tickets have room to breathe. */
  readonly airy: boolean;
  /** Whether tickets stand below one another, as many as there are. */
  readonly stacked: boolean;
  /** Whether a phone has no room for one ticket: then what waits for the viewer has one line, with its buttons. */
  readonly cramped: boolean;
}

/** Return how many wide tickets have room beside one another. */
export const wideColumns = ({ dense, broad }: Size): number => (dense && !broad ? 2 : 3);

/** Return whether few offers are to be expected, so that each may be wide. */
const isFew = ({ busy, players }: Wood): boolean => !busy && players <= FEW;

/** Return how many columns are in sight. */
export function columnsOf(wood: Wood): number {
  const { size, width } = wood;
  if (size.narrow) return size.phone ? 1 : 2;
  const wide = wideColumns(size);
  const most = size.dense ? wide + 1 : columnsIn(width - 2 * SIDE);
  return isFew(wood) ? Math.min(most, wide) : most;
}

/** Return whether a small window has room for two rows of tickets with all their lines. */
export const hasRoom = ({ size, high, crowded }: Wood): boolean =>
  size.dense && !crowded && rowsOf(TICKETS.all, high - 2) >= 2;

/** Return how the offers stand. */
export function fit(wood: Wood): Fit {
  const { size, high, crowded, opened, list } = wood;
  const columns = columnsOf(wood);
  const left = rowsLeft(wood);
  const fits = (tall: number): boolean => tall <= high - 2 * SIDE;
  /** Whether all that stood there have room as they are: then nothing moves beside what is put together. */
  const keeps =
    opened !== null && opened.last <= placesBeside(roomWith(list, columns, left)) && fits(opened.tall);
  const answered = keeps ? null : answeredRow(wood, columns);
  // where they had all their lines they have three at least
  const whole =
    opened !== null &&
    !size.phone &&
    (keeps || answered !== null || (opened.all && opened.last <= columns && fits(TICKETS.low.least)));
  const roomy = opened === null ? hasRoom(wood) : opened.all && (keeps || answered !== null);
  const slim = opened !== null && !whole;
  const brief = slim && size.dense && !crowded && rowsOf(TICKETS.brief, high - 2) >= 2;
  const rows =
    opened !== null && answered !== null
      ? opened.rows
      : whole
        ? left
        : rowsInSight(wood, { slim, brief, roomy });
  return {
    columns,
    room: roomWith(list, columns, rows),
    answered,
    whole,
    slim,
    brief,
    roomy,
    airy: !size.dense && !size.narrow && isFew(wood),
    stacked: size.phone && !slim,
    cramped: size.phone && high > 0 && high < TICKETS.phone,
  };
}

/** Return how many rows of whole tickets have room beside what is put together. */
function rowsLeft({ size, high, opened }: Wood): number {
  if (!size.narrow) return 1;
  return rowsOf({ ...TICKETS.tall, least: Math.max(TICKETS.tall.least, opened?.tall ?? 0) }, high);
}

/** Return the row of the offer that is answered, if it has room as it is. */
function answeredRow(wood: Wood, columns: number): number | null {
  const { size, high, opened, list, tickets, answering } = wood;
  if (opened === null || size.narrow || answering === null) return null;
  const room = roomWith(list, columns, opened.rows);
  const row = answering === "listed" ? rowOfList(list, tickets, room) : rowOf(answering, room);
  return row < opened.rows && opened.tall <= high - 2 ? row : null;
}

/** Return how many rows are in sight. */
function rowsInSight(
  { size, high }: Wood,
  { slim, brief, roomy }: Pick<Fit, "slim" | "brief" | "roomy">,
): number {
  if (size.phone) return slim ? 1 : 2;
  if ((!size.dense && !size.narrow) || roomy) return 2;
  const { finger, tall, brief: two, line, low } = TICKETS;
  return rowsOf(size.narrow ? (slim ? finger : tall) : brief ? two : slim ? line : low, high - 2);
}
