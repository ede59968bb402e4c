/** What the coach says on a phone while there is nothing to learn: his strip is never empty. */
import type { TableModel } from "../lib/model.svelte";
import { listed, nameOf } from "../lib/names";
import { othersWaitedFor } from "../table/waiting";
import type { CoachLine } from "./steps";

/** Say for whom the lesson waits; `held` while a planting can be taken back. */
export function pauseLine(table: TableModel, held: boolean): Pick<CoachLine, "text" | "params"> | null {
  const { view, seat } = table;
  if (view === null) return null;
  if (held) return { text: "table.say.held" };
  const active = view.active_player === seat ? [] : [view.active_player];
  const others = othersWaitedFor(view, seat);
  const names = (others.length > 0 ? others : active).map((other) => nameOf(table, other));
  return table.mine || names.length === 0
    ? { text: "lesson.your-move" }
    : { text: "lesson.watch", params: { names: listed(names) } };
}
