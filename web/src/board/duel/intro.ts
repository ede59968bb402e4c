/** When Das Duell is introduced: in a game of one's own, until that was put away, where tips are wanted. */
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { settings, wasSeen } from "../../lib/settings.svelte";

/** Under this name the page remembers that it was put away. */
export const INTRO = "hint-duel";

/** Tell whether the viewer is introduced to the game he sits in. */
export function introduces(table: TableModel, live: LiveTable | null): boolean {
  const plays = live !== null && table.seat !== null && table.view?.rules.game === "das-duell";
  return plays && settings.hints && !wasSeen(INTRO);
}
