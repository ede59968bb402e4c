/** What was said last at a table by somebody else, whether he typed it or a computer player remarked it. */
import type { Line, Remark } from "../../generated/protocol";
import type { LiveTable } from "../../lib/live.svelte";

/** A line or remark, and the seat it came from. */
export interface Said {
  readonly seat: number;
  readonly what: Line | Remark;
}

/** Return what one of the others has said last, `null` where nobody at the table has. */
export function latest(table: LiveTable): Said | null {
  const seatOf = (user: string | null): number =>
    user === null ? -1 : (table.room?.seats.findIndex((seat) => seat.user === user) ?? -1);
  const all = [
    ...table.remarks.map((what): Said => ({ seat: what.seat, what })),
    ...table.lines.map((what): Said => ({ seat: seatOf(what.user), what })),
  ].filter(({ seat }) => seat >= 0 && seat !== table.seat);
  return all.reduce<Said | null>(
    (last, one) => (last !== null && last.what.at > one.what.at ? last : one),
    null,
  );
}
