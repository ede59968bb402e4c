/** Sorts the kinds of beans one may ask for: always in the same order, so that each is found where it was. */
import type { Bean, Mark, View } from "../../generated/protocol";

/** A kind one may ask for, and what everybody can see about it. */
export interface WantedKind {
  readonly bean: Bean;
  /** Whether it grows on an own field. */
  readonly mine: boolean;
  /** Seats that have said that they have it to spare. */
  readonly spare: readonly number[];
  /** Seats that have said that they keep it. */
  readonly keeping: readonly number[];
  /** Seats on whose fields it grows. */
  readonly growing: readonly number[];
  /** Seats that have said that they want it. */
  readonly wanting: readonly number[];
}

/**
 * Return the kinds of the own fields first, in the order of the fields, then the rest by their numbers. What everybody
 * knows of them is told of those whom one may ask.
 */
export function ranked(
  kinds: readonly Bean[],
  view: View | null,
  seat: number | null,
  partners: readonly number[],
): readonly WantedKind[] {
  if (view === null) return [];
  const fields = seat === null ? [] : (view.players[seat]?.fields ?? []);
  const place = (bean: Bean): number => {
    const field = fields.findIndex((beans) => beans[0] === bean);
    return field < 0 ? fields.length : field;
  };
  return [...kinds]
    .sort((one, other) => place(one) - place(other) || one - other)
    .map((bean) => known(bean, view, seat, partners));
}

function known(bean: Bean, view: View, seat: number | null, partners: readonly number[]): WantedKind {
  const grows = (player: number): boolean =>
    view.players[player]?.fields.some((field) => field[0] === bean) ?? false;
  const said = (mark: Exclude<Mark, "none">) =>
    partners.filter((player) => view.talk.wishes[player]?.[mark]?.includes(bean) ?? false);
  return {
    bean,
    mine: seat !== null && grows(seat),
    spare: said("spare"),
    keeping: said("keep"),
    growing: partners.filter(grows),
    wanting: said("want"),
  };
}
