/**
 * Shows in the title of the browser tab how much waits for the viewer while he looks at another tab, and takes back
 * what he was told of this table elsewhere.
 */
import { takeBackNotices } from "../alerts/back";
import { t } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { toldOverDays } from "../lib/overdays.svelte";
import { needs, needsCount } from "./needs";
import type { PageState } from "./state.svelte";
import { isAsked } from "./waiting";

/** The title of the tab: it is the viewer's turn, he is asked in another's, only an offer waits for him, or nothing. */
const TITLES = {
  yes: "table.tab-yours",
  asked: "table.tab-asked",
  alone: "table.tab-waits",
  offer: "table.tab-offer",
  no: "table.tab",
} as const;

/** Return the title of the tab: whether the game waits for the viewer, and how much does while he is `away`. */
export function tabTitle(table: TableModel, away: boolean): string {
  const needed = needs(table);
  const count = away ? needsCount(needed) : 0;
  const turn = !needed.turn ? "no" : isAsked(table) ? "asked" : "yes";
  const alone = turn === "asked" && toldOverDays(table)?.isLeftAlone(table.view, table.room, table.seat);
  if (count === 0)
    return t(TITLES[turn === "no" && needsCount(needed) > 0 ? "offer" : alone === true ? "alone" : turn]);
  return t("sound.title", { count, turn, usual: t("table.tab") });
}

/**
 * Show in the title of the tab how many things wait for the viewer while another tab is in front; to be called by
 * the page of a table.
 */
export function showNeedsInTitle(page: PageState, table: TableModel): void {
  $effect(() => {
    const look = (): void => void (page.away = document.hidden);
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
  $effect(() => {
    const title = tabTitle(table, page.away);
    const timer = setTimeout(() => (document.title = title)); // it takes milliseconds: what has changed is drawn first
    return () => clearTimeout(timer);
  });
  $effect(() => () => (document.title = t("table.tab")));
}

/** Close what this browser has shown of a table whenever its person looks at it; to be called by its page. */
export function takeBackWhenHere(page: PageState, table: () => string): void {
  $effect(() => {
    if (!page.away) takeBackNotices(table()).catch(() => undefined);
  });
}
