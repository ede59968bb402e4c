import { t } from "./i18n.svelte";
import type { TableModel } from "./model.svelte";
import { needs, needsCount } from "./needs";

let away = $state(document.hidden);
document.addEventListener("visibilitychange", () => (away = document.hidden));

/** Tell in the title of the tab what waits for its owner while he looks elsewhere; to be called by the page of a table. */
export function callBack(table: TableModel): void {
  $effect(() => {
    const needed = needs(table);
    const count = away ? needsCount(needed) : 0;
    const usual = table.mine && table.view?.phase.phase !== "end" ? t("table.tab-yours") : t("table.tab");
    document.title = count === 0 ? usual : t("sound.title", { count, turn: needed.turn ? "yes" : "no", usual: t("table.tab") });
    return () => (document.title = t("table.tab"));
  });
}
