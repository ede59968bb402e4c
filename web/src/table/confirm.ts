/** Which commands the page asks to confirm, because they waste something. */
import type { AnyCommand, Harvest } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";
import { lastCall, ownClaimedOffers } from "./offers/closing";
import { waitsFor } from "./waiting";

function earns(command: Harvest, { worth }: TableModel): number {
  return worth[command.player]?.[command.field]?.coins ?? 0;
}

/** Tell whether the game waits for a harvest of the viewer, and none of them earns anything: there is no other way. */
function mustLose(table: TableModel): boolean {
  const harvests = table.allowed("harvest");
  const others = table.legal.filter((command) => command.do !== "harvest" && command.do !== "claim-bonus");
  return (
    waitsFor(table.view, table.seat) &&
    others.length === 0 &&
    harvests.length > 0 &&
    harvests.every((command) => earns(command, table) === 0)
  );
}

/** Tell whether confirmation is asked: for a harvest for nothing, and an end of the trading that leaves claims. */
export function needsConfirmation(command: AnyCommand, table: TableModel): boolean {
  if (command.do === "harvest") return earns(command, table) === 0 && !mustLose(table);
  return command.do === "end-trading" && lastCall(table) === null && ownClaimedOffers(table).length > 0;
}
