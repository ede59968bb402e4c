/** Lets tickets slide to where they lie now. Nothing is measured, which takes its time, where none has moved. */
import { tick, untrack } from "svelte";
import { moves } from "../../lib/settings.svelte";
import type { Places } from "../../table/offers/places";

/** How long they slide, in ms. */
const SLIDES = 220;

/** Tell whether one of these lies at another place than before. */
export const anyMoved = (before: Places, now: Places): boolean =>
  before.some((id, at) => now[at] !== id && now.includes(id));

/**
 * Let the boxes of a list, one for each of these places, slide whenever some change places.
 * Call it during component initialisation (it registers an `$effect`).
 */
export function sliding(list: () => HTMLElement | null, places: () => Places): void {
  let before: Places = [];
  $effect.pre(() => {
    const [was, now, row] = [before, places(), list()];
    before = now;
    if (row === null || !moves() || !anyMoved(was, now)) return;
    const from = boxesOf(row, was).map(([id, box]) => [id, box.getBoundingClientRect()] as const);
    void tick().then(() => slide(new Map(from), boxesOf(row, now)));
  });
}

/** The boxes by what lies in them. */
function boxesOf(row: HTMLElement, places: Places): readonly (readonly [number, HTMLElement])[] {
  return places.flatMap((id, at) => {
    const box = row.children[at];
    return box instanceof HTMLElement ? [[id, box] as const] : [];
  });
}

function slide(from: ReadonlyMap<number, DOMRect>, boxes: readonly (readonly [number, HTMLElement])[]): void {
  for (const [id, box] of boxes) {
    const was = from.get(id);
    if (was === undefined) continue;
    const { left, top } = box.getBoundingClientRect();
    if (was.left === left && was.top === top) continue;
    const translate = `${was.left - left}px ${was.top - top}px`;
    box.animate([{ translate }, { translate: "0 0" }], {
      duration: SLIDES,
      easing: "cubic-bezier(0.2, 0.8, 0.2, 1)",
    });
  }
}

/** How long a ticket takes to appear, in ms. */
const APPEARS = 160;

/** Let a box appear. A transition of Svelte would ask first how it looks, which lays out the page. */
export function appearing(box: HTMLElement): void {
  // an attachment runs anew whenever what it has read changes
  if (untrack(moves)) box.animate([{ opacity: 0 }, { opacity: 1 }], { duration: APPEARS });
}
