/** Where on a phone the wood is empty: what is told stands there, and covers nothing that one plays with. */
import type { TableModel } from "../lib/model.svelte";
import type { OfferView } from "../generated/protocol";
import { declinedBy, roleOf, trading } from "../table/offers/offers";
import type { LayoutState, PageState } from "../table/state.svelte";
import { isOver } from "../table/waiting";
import { size } from "./size.svelte";

/** Px that an offer takes at most: a ticket, or one in a line. */
const TICKET = 132;
const LINE = 50;

/** Px of the wood below the piles and above what is told, where least is left of it. */
const FREE = { low: 100, tall: 182 };

/** Return how high an offer lies on the wood of a phone, in px. */
function heightOf(offer: OfferView, table: TableModel): number {
  const role = roleOf(offer, table);
  const refused = role === "mine" && declinedBy(offer, table).length === offer.to.length;
  return role === "others" || role === "lacking" || refused ? LINE : TICKET;
}

/** Tell whether hardly anything lies on the wood of a phone below the piles. */
export function hasRoomOnWood(table: TableModel, page: PageState, layout: LayoutState): boolean {
  const { view } = table;
  if (!size.narrow || view === null || isOver(table)) return false;
  const bare = view.rules.game === "main" || view.phase.phase === "trade";
  const composing = page.selection.open || layout.talk !== null;
  if (!bare || composing) return false;
  const offers = trading(view)?.offers ?? [];
  const high = offers.reduce((sum, offer) => sum + heightOf(offer, table), 0);
  return offers.length < 2 || high <= (size.tall ? FREE.tall : FREE.low);
}

/** Tell whether notices stand on the wood rather than over what lies above the bar. */
export function tellsOnWood(table: TableModel, page: PageState, layout: LayoutState): boolean {
  return size.narrow ? hasRoomOnWood(table, page, layout) : table.view?.phase.phase !== "trade";
}
