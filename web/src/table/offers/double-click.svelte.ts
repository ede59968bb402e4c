/** Protects a last call from being ended by the second press of a double click. */
import type { LayoutState } from "../state.svelte";

/** How long after a last call has begun a press may be the second one of a double click, in ms. */
const DOUBLE_CLICK = 700;

/**
 * Note for a moment that a last call has begun or was prolonged: the second press of a double click would end it at
 * once. Call it during component initialisation (it registers an `$effect`); `until` is when the call ends, or `null`.
 */
export function ignoreDoubleClick(layout: LayoutState, until: () => number | null): void {
  $effect(() => {
    if (until() === null) return;
    layout.justCalled = true;
    const timer = setTimeout(() => (layout.justCalled = false), DOUBLE_CLICK);
    return () => {
      clearTimeout(timer);
      layout.justCalled = false;
    };
  });
}
