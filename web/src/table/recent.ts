/** The last lines of the log, for the places that show only a few. */
import type { Happening, TableModel } from "../lib/model.svelte";
import { eventText } from "../lib/sentences";

/** A thing that has happened, in words. */
export interface RecentLine {
  readonly key: string;
  readonly text: string;
}

/** Return how the last trading was ended, as long as its turn lasts. */
export function endOfMarket(log: readonly Happening[]): Happening | undefined {
  const last = log.findLast(({ event }) => event.event === "trading-closed" || event.event === "turn-began");
  return last?.event.event === "trading-closed" ? last : undefined;
}

/** Return the last things that are worth a sentence, the newest first. */
export function recentLines(table: TableModel, most: number): readonly RecentLine[] {
  const found: RecentLine[] = [];
  for (let at = table.log.length - 1; at >= 0 && found.length < most; at -= 1) {
    const happening = table.log[at];
    const text = happening === undefined ? null : eventText(happening, table);
    if (text !== null && text !== "") found.push({ key: `${happening?.seq ?? 0}-${at}`, text });
  }
  return found;
}
