/** The kind of bean that the viewer chooses to name as a gift: chosen by tapping, named by the button. */
import type { Bean, Way } from "../../generated/protocol";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import type { PageState } from "../../table/state.svelte";
import { giftPhase, mayName, nameGift } from "./gifts";

/** Return the kind that is about to be named, as long as it is the moment it was chosen for, and it may be named. */
export function namedNext(page: PageState, table: TableModel): Bean | null {
  const [chosen, now] = [page.giftToName, moment(table)];
  const holds = chosen !== null && chosen.turn === now.turn && chosen.after === now.after;
  return holds && mayName(table.legal, chosen.bean) ? chosen.bean : null;
}

/** Return what tells one naming from another: the turn, and how many kinds have been named in it. */
function moment({ view }: TableModel): { readonly turn: number; readonly after: number } {
  return { turn: view?.turn ?? 0, after: giftPhase(view)?.named.length ?? 0 };
}

/** Return the viewer's cards of that kind; if there are none, naming it is a bluff. */
export function waysToName(page: PageState, table: TableModel): readonly Way[] {
  const bean = namedNext(page, table);
  return bean === null ? [] : table.ways(bean);
}

/** Choose a kind; the same once more chooses none. */
export function choose(page: PageState, table: TableModel, bean: Bean): void {
  if (!mayName(table.legal, bean)) return;
  page.giftToName = bean === namedNext(page, table) ? null : { bean, ...moment(table) };
  page.way = 0;
}

/** Send the command that names the chosen kind. */
export async function sendNaming(page: PageState, live: LiveTable): Promise<void> {
  const bean = namedNext(page, live);
  if (live.view === null || live.seat === null || bean === null) return;
  const ways = waysToName(page, live);
  const command = nameGift(live.view, live.seat, bean, ways.length > 1 ? ways[page.way] : undefined);
  page.giftToName = null;
  await live.act(command);
}
