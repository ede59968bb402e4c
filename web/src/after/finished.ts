/** Where a finished game is found, on the server and on the page, whether it was played here or uploaded. */
import { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";

/** Where a game that is over is found: its id, its part of the API, and its page. */
export interface FinishedGame {
  readonly id: string;
  readonly api: string;
  readonly page: string;
}

/** Return where the game of a table or of a stored record is found. */
export function finishedGame(source: "tables" | "records", id: string): FinishedGame {
  const part = encodeURIComponent(id);
  return {
    id,
    api: `/api/${source}/${part}`,
    page: source === "tables" ? `/replay/${part}` : `/replay/record/${part}`,
  };
}

/** A table that shows a finished game. */
export interface ShowsFinishedGame {
  readonly finished: FinishedGame;
}

/** Return where the game on a table is found once it is over. */
export function finishedGameOf(table: TableModel): FinishedGame | null {
  if (table instanceof LiveTable) return finishedGame("tables", table.id);
  return "finished" in table ? (table as TableModel & ShowsFinishedGame).finished : null;
}
