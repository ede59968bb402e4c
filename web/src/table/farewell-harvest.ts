/** The last harvests of a game, which are shown before its result. */
import type { Batch } from "../generated/protocol";
import { happeningsOf, type Happening } from "../lib/model.svelte";
import type { LayoutState } from "./state.svelte";

/** How long the board stands before the result comes by itself, in ms: long enough to read a line for each player. */
export const STANDS = 4_000;

/** Return what all harvest with the batch that ends the game, `null` if it does not. */
export function lastHarvests(batch: Batch): readonly Happening[] | null {
  const happened = happeningsOf(batch);
  if (!happened.some(({ event }) => event.event === "game-ended")) return null;
  return happened.filter(({ event }) => event.event === "harvested");
}

/** Let the board stand for a moment when a batch ends the game. */
export function standAtEnd(layout: LayoutState, batch: Batch): void {
  const harvested = lastHarvests(batch);
  if (harvested === null) return;
  layout.lastHarvests = harvested;
  setTimeout(() => (layout.lastHarvests = null), STANDS);
}
