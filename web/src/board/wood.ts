/** Where on a phone the wood is empty: what is told stands there, and covers nothing that one plays with. */
import type { TableModel } from "../lib/model.svelte";
import { trading } from "../table/offers/offers";
import type { LayoutState, PageState } from "../table/state.svelte";
import { isOver } from "../table/waiting";
import { size } from "./size.svelte";

/** Tell whether hardly anything lies on the wood of a phone below the piles. */
export function hasRoomOnWood(table: TableModel, page: PageState, layout: LayoutState): boolean {
  const { view } = table;
  if (!size.narrow || view === null || isOver(table)) return false;
  const bare = view.rules.game === "main" || view.phase.phase === "trade";
  const composing = page.selection.open || layout.talk !== null;
  return bare && !composing && (trading(view)?.offers.length ?? 0) < 2;
}

/** Tell whether notices stand on the wood rather than over what lies above the bar. */
export function tellsOnWood(table: TableModel, page: PageState, layout: LayoutState): boolean {
  return size.narrow ? hasRoomOnWood(table, page, layout) : table.view?.phase.phase !== "trade";
}
