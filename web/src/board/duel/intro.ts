/** When Das Duell is introduced, and its bonus cards: in a game of one's own, until that was put away, if wanted. */
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { settings, wasSeen } from "../../lib/settings.svelte";

/** Under this name the page remembers that it was put away. */
export const INTRO = "hint-duel";

/** The same for the tip about the first complete bonus card. */
export const BONUS_TIP = "hint-bonus";

/** Tell whether the viewer is introduced to the game he sits in. */
export function introduces(table: TableModel, live: LiveTable | null): boolean {
  const plays = live !== null && table.seat !== null && table.view?.rules.game === "das-duell";
  return plays && settings.hints && !wasSeen(INTRO);
}

/** Tell whether the viewer is told what the complete bonus card in his hand is for. */
export function tellsOfBonus(table: TableModel, live: LiveTable | null): boolean {
  return live !== null && settings.hints && !wasSeen(BONUS_TIP) && table.allowed("claim-bonus").length > 0;
}
