/** Shows in the title of the browser tab how much waits for the viewer while he looks at another tab. */
import { t } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { needs, needsCount } from "./needs";
import type { PageState } from "./state.svelte";

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
    const needed = needs(table);
    const count = page.away ? needsCount(needed) : 0;
    const usual = table.mine && table.view?.phase.phase !== "end" ? t("table.tab-yours") : t("table.tab");
    document.title =
      count === 0
        ? usual
        : t("sound.title", { count, turn: needed.turn ? "yes" : "no", usual: t("table.tab") });
    return () => (document.title = t("table.tab"));
  });
}
