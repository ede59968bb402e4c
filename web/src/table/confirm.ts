/** Which commands the page asks to confirm, because they waste something. */
import type { AnyCommand } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";
import { lastCall, ownClaimedOffers } from "./offers/closing";

/** Tell whether confirmation is asked: for a harvest for nothing, and an end of the trading that leaves claims. */
export function needsConfirmation(command: AnyCommand, table: TableModel): boolean {
  if (command.do === "harvest") return (table.worth[command.player]?.[command.field]?.coins ?? 0) === 0;
  return command.do === "end-trading" && lastCall(table) === null && ownClaimedOffers(table).length > 0;
}
