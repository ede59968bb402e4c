/** What the end of the trading depends on: a last call that runs, and own offers with claims. */
import type { OfferView, Room } from "../../generated/protocol";
import type { TableModel } from "../../lib/model.svelte";
import { hasClaims, trading } from "./offers";

/** Return the call that ends the trading if it runs; the room remembers that of an earlier turn. */
export function lastCall(table: TableModel): Room["last_call"] {
  const call = table.room?.last_call ?? null;
  return trading(table.view) !== null && call?.turn === table.view?.turn ? call : null;
}

/** Return the viewer's own offers that somebody would take. */
export function ownClaimedOffers(table: TableModel): readonly OfferView[] {
  return (trading(table.view)?.offers ?? []).filter((offer) => hasClaims(offer, table));
}
