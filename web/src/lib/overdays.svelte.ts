/** What is told at tables over days only; that part of the page is loaded with the first of them, or a replay. */
import { lastsDays } from "./days";
import type { TableModel } from "./model.svelte";

type Part = typeof import("../away/told");

/** The part, once it has been loaded with its texts. */
class OverDays {
  part: Part | null = $state.raw(null);
}

export const overDays = new OverDays();

/** Return what tells of a table over days; `null` for any other table, and until it has been loaded. */
export function toldOverDays({ room }: Pick<TableModel, "room">): Part | null {
  return lastsDays(room?.options.clock) ? overDays.part : null;
}

/** Load it; without it a table over days is told of as any other. */
export function loadOverDays(): void {
  if (overDays.part !== null) return;
  import("../away/told")
    .then(async (part) => {
      if (await part.loadTexts()) overDays.part = part;
    })
    .catch(() => undefined);
}
