/** Promises between seats, and opening the panel in which wishes and promises are changed. */
import type { PromiseNote, View } from "../../generated/protocol";
import { clear } from "../selection";
import type { LayoutState, PageState } from "../state.svelte";

/** Return the promises by a seat, and those to it. */
export function promisesOf(view: View | null, seat: number): readonly PromiseNote[] {
  return (view?.talk.promises ?? []).filter((word) => word.player === seat || word.to === seat);
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
