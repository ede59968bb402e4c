import { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";

/** Where a game that is over is told of: its id, its part of the API, and its page. */
export interface Past {
  readonly id: string;
  readonly api: string;
  readonly page: string;
}

/** Return where a table's or a kept record's game is told of. */
export function placeOf(source: "tables" | "records", id: string): Past {
  const part = encodeURIComponent(id);
  return { id, api: `/api/${source}/${part}`, page: source === "tables" ? `/replay/${part}` : `/replay/record/${part}` };
}

/** A table that shows a game that is over. */
export interface Bygone {
  readonly past: Past;
}

/** Return where the game on a table is told of once it is over. */
export function pastOf(table: TableModel): Past | null {
  if (table instanceof LiveTable) return placeOf("tables", table.id);
  return "past" in table ? (table as TableModel & Bygone).past : null;
}
