/** What at the table waits for the viewer, counted for the title of the browser tab. */
import type { OfferView } from "../generated/protocol";
import { offersWaiting } from "./offers/offers";
import type { TableModel } from "../lib/model.svelte";
import { ownClaimedOffers } from "./offers/closing";
import { waitsForViewer } from "./waiting";

/** What waits for the viewer: the game itself, offers without an answer, and own offers that somebody would take. */
export interface Needs {
  readonly turn: boolean;
  readonly offers: readonly OfferView[];
  readonly claimed: readonly OfferView[];
}

const NONE: Needs = { turn: false, offers: [], claimed: [] };

/** Return what waits for the viewer now. */
export function needs(table: TableModel): Needs {
  const { view, seat, room } = table;
  if (view === null || seat === null || room?.status !== "playing" || room.paused) return NONE;
  return {
    turn: waitsForViewer(table),
    offers: offersWaiting(table),
    claimed: ownClaimedOffers(table),
  };
}

/** Return how many things wait for the viewer. */
export function needsCount(needed: Needs): number {
  return (needed.turn ? 1 : 0) + needed.offers.length + needed.claimed.length;
}
