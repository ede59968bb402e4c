/** How near the end of the game is, by what everybody sees of the draw pile. */
import type { View } from "../../generated/protocol";

/** The turn that is played is the last, or everybody has one left at most. */
export type Nearing = "turn" | "soon";

/**
 * Return how near the end is, `null` while it is far. The draw pile runs out with its last card; only in the game for
 * three and more does every turn take as many cards as the next, so that this can be told before.
 */
export function nearing(view: View | null): Nearing | null {
  if (view === null || view.phase.phase === "end") return null;
  const { game, exhaustions, reveal, draw } = view.rules;
  if (view.exhaustions >= exhaustions) return "turn";
  if (game !== "main" || view.exhaustions + 1 < exhaustions) return null;
  const toTurnOver = view.phase.phase === "plant" || view.phase.phase === "reveal" ? reveal : 0;
  if (view.draw_pile <= toTurnOver + draw) return "turn";
  return view.draw_pile <= view.players.length * (reveal + draw) ? "soon" : null;
}

/** Tell whether a change of the view has begun the last of several rounds of the deck. */
export function beganLastPass(was: View | null, now: View | null): boolean {
  if (was === null || now === null) return false;
  return was.exhaustions < now.exhaustions && now.exhaustions + 1 === now.rules.exhaustions;
}
