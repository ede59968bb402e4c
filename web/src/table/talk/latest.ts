/** What was said last at a table by somebody else: a line he typed, a remark, or his word given to the viewer. */
import type { Line, PromiseNote, ShownEvent } from "../../generated/protocol";
import type { HeardRemark, LiveTable } from "../../lib/live.svelte";

/** A promise to the viewer, and when it was made. */
export interface Promised {
  readonly type: "promise";
  readonly at: number;
  readonly promise: PromiseNote;
}

/** A line, a remark or a promise, and the seat it came from. */
export interface Said {
  readonly seat: number;
  readonly what: Line | HeardRemark | Promised;
}

/** A "no" to an offer of the viewer, when and in which batch it was said, and the reason if one was given. */
export interface Refused {
  readonly type: "refused";
  readonly at: number;
  readonly seq: number;
  readonly offer: number;
  readonly why: HeardRemark | undefined;
}

/**
 * Return the last "no" of somebody, or of one `seat`, to an offer of the viewer, `null` without any in what the page
 * has of the log.
 */
export function latestNo(
  table: LiveTable,
  seat?: number,
): { readonly seat: number; readonly what: Refused } | null {
  const last = table.log.findLast(
    ({ event }) =>
      isNo(event, table.seat) && (seat === undefined || ("player" in event && event.player === seat)),
  );
  if (last?.event.event !== "offer-declined") return null;
  const { player, offer } = last.event;
  const why = table.remarks.findLast(({ seat, seq }) => seat === player && seq === last.seq);
  return { seat: player, what: { type: "refused", at: last.at, seq: last.seq, offer, why } };
}

const isNo = (event: ShownEvent, seat: number | null): boolean =>
  event.event === "offer-declined" && event.maker === seat && event.player !== seat;

/** Tell whether a seat has said something else since its "no", as its thanks for what it has agreed to then. */
export function isSpokenAfter(table: LiveTable, seat: number, no: Refused): boolean {
  const what = latest(table, seat)?.what;
  if (what === undefined || what === no.why) return false;
  return what.type === "remark" ? what.seq > no.seq : what.at > no.at;
}

/** Return when something came, from which on it is shown: what is told late to who watches later is heard late. */
export const heardAt = (what: Said["what"] | Refused): number => ("heard" in what ? what.heard : what.at);

/** Return what one of the others, or `only` one seat, has said last, `null` where nobody has. */
export function latest(table: LiveTable, only?: number): Said | null {
  const seatOf = (user: string | null): number =>
    user === null ? -1 : (table.room?.seats.findIndex((seat) => seat.user === user) ?? -1);
  const promised = table.log.flatMap(({ at, event }): Said[] =>
    event.event === "promise-made" && event.promise.to === table.seat
      ? [{ seat: event.promise.player, what: { type: "promise", at, promise: event.promise } }]
      : [],
  );
  const all = [
    ...promised,
    ...table.remarks.map((what): Said => ({ seat: what.seat, what })),
    ...table.lines.map((what): Said => ({ seat: seatOf(what.user), what })),
  ].filter(({ seat }) => seat >= 0 && seat !== table.seat && (only === undefined || seat === only));
  return all.reduce<Said | null>(
    (last, one) => (last !== null && heardAt(last.what) > heardAt(one.what) ? last : one),
    null,
  );
}
