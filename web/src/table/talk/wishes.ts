/** What players say that they want, can spare and keep, as it is shown. */
import type { Bean, ShownEvent, View, Wishes } from "../../generated/protocol";
import type { TableModel } from "../../lib/model.svelte";

/**
 * Return what a seat has said, without the kinds that it wanted and has got in this turn: such a wish is granted, and
 * may be another one in the next turn, or once it is said anew.
 */
export function wishesOf(table: TableModel, seat: number): Wishes | undefined {
  const said = table.view?.talk.wishes[seat];
  if (said === undefined || said.want.length === 0) return said;
  return { ...said, want: said.want.filter((bean) => !isGranted(bean, seat, table)) };
}

/** Return what a table shows, without the wishes that are granted. */
export function withoutGranted(table: TableModel): View | null {
  const { view } = table;
  if (view === null) return null;
  const wishes = view.talk.wishes.map((said, seat) => wishesOf(table, seat) ?? said);
  return { ...view, talk: { ...view.talk, wishes } };
}

/** Tell whether a seat has got a kind since this turn began and it last said that it wants it. */
function isGranted(bean: Bean, seat: number, { log }: TableModel): boolean {
  const last = log.findLast(
    ({ event }) =>
      event.event === "turn-began" ||
      (event.event === "wish-set" && event.player === seat && event.bean === bean) ||
      brought(event, seat).includes(bean),
  );
  return last?.event.event === "traded-shown";
}

/** Return what an event has brought a seat by an exchange. */
function brought(event: ShownEvent, seat: number): readonly Bean[] {
  if (event.event !== "traded-shown") return [];
  const faceUp = event.maker === seat ? event.partner_face_up : event.maker_face_up;
  const hand = event.maker === seat ? event.partner_hand : event.partner === seat ? event.maker_hand : null;
  return hand === null ? [] : [...hand, ...faceUp.map(([, bean]) => bean)];
}
