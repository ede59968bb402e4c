/** Promises between seats, and opening the panel in which wishes and promises are changed. */
import type { PromiseNote, View } from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import { beansText, beansWord, seatWord } from "../../lib/sentences";
import { clear } from "../selection";
import type { LayoutState, PageState } from "../state.svelte";

/** Return the promises by a seat, and those to it. */
export function promisesOf(view: View | null, seat: number): readonly PromiseNote[] {
  return (view?.talk.promises ?? []).filter((word) => word.player === seat || word.to === seat);
}

/** Return a promise in words. */
export function promiseText(word: PromiseNote, table: TableModel): string {
  return t("table.promise-line", {
    you: word.player === table.seat ? "yes" : "no",
    player: nameOf(table, word.player),
    to: seatWord(table, word.to),
    gives: beansWord(word.give),
    wants: beansWord(word.get),
    kind: word.get.length === 0 ? "gift" : word.give.length === 0 ? "hope" : "trade",
    due: t(`table.due-${word.due}`),
  });
}

/** Return what is given, and what it is hoped to be for, where there is room for one short line. */
export function brieflyPromised({ give, get }: PromiseNote): string {
  return [give, get]
    .flatMap((beans, side) => (beans.length === 0 ? [] : `${side === 1 ? "⇄ " : ""}${beansText(beans)}`))
    .join(" ");
}

/** Tell whether this game has a trading: only there wishes and promises mean anything. */
export function hasTrading(view: View | null): boolean {
  return view?.rules.game === "main" || (view?.steps.some((step) => step.phase === "trade") ?? false);
}

/** Begin to change wishes and promises, or end it; what is put together stands at the same place, so that ends. */
export function toggleTalk(page: PageState, layout: LayoutState): void {
  clear(page.selection);
  layout.talk = layout.talk === null ? { to: null } : null;
}

/** Begin a promise to a seat. */
export function promiseTo(page: PageState, layout: LayoutState, seat: number): void {
  clear(page.selection);
  layout.talk = { to: seat };
}
