import type { Bean, Way } from "../../generated/protocol";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import type { PageState } from "../../table/state.svelte";
import { mayName, naming } from "./gifts";

/** Return the kind that is about to be named, as long as it may be. */
export function namedNext(page: PageState, table: TableModel): Bean | null {
  return page.gift !== null && mayName(table.legal, page.gift) ? page.gift : null;
}

/** Return the cards of that kind one has; none makes it a bluff. */
export function waysToName(page: PageState, table: TableModel): readonly Way[] {
  const bean = namedNext(page, table);
  return bean === null ? [] : table.ways(bean);
}

/** Choose a kind; the same once more chooses none. */
export function choose(page: PageState, table: TableModel, bean: Bean): void {
  if (!mayName(table.legal, bean)) return;
  page.gift = bean === namedNext(page, table) ? null : bean;
  page.way = 0;
}

/** Name it. */
export async function name(page: PageState, live: LiveTable): Promise<void> {
  const bean = namedNext(page, live);
  if (live.view === null || bean === null) return;
  const ways = waysToName(page, live);
  const command = naming(live.view, bean, ways.length > 1 ? ways[page.way] : undefined);
  page.gift = null;
  await live.act(command);
}
