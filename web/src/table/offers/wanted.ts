/** Sorts the kinds of beans one may ask for, the most likely first. */
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
 * Return the kinds with those first that grow or are spoken of: own fields, then what others can spare, then
 * the rest.
 */
export function ranked(
  kinds: readonly Bean[],
  view: View | null,
  seat: number | null,
): readonly WantedKind[] {
  if (view === null) return [];
  const all = kinds.map((bean) => known(bean, view, seat));
  return all.sort((one, other) => weight(other) - weight(one) || one.bean - other.bean);
}

function known(bean: Bean, view: View, seat: number | null): WantedKind {
  const grows = (player: number): boolean =>
    view.players[player]?.fields.some((field) => field[0] === bean) ?? false;
  const others = view.players.map((_, player) => player).filter((player) => player !== seat);
  const said = (mark: Exclude<Mark, "none">) =>
    others.filter((player) => view.talk.wishes[player]?.[mark]?.includes(bean) ?? false);
  return {
    bean,
    mine: seat !== null && grows(seat),
    spare: said("spare"),
    keeping: said("keep"),
    growing: others.filter(grows),
    wanting: said("want"),
  };
}

function weight(kind: WantedKind): number {
  return (
    (kind.mine ? 8 : 0) +
    (kind.spare.length > 0 ? 4 : 0) +
    (kind.wanting.length > 0 ? 2 : 0) +
    (kind.growing.length > 0 ? 1 : 0)
  );
}
