/** Where things lie on the page: components register places, and cards travel between them. */
import type { Attachment } from "svelte/attachments";

/**
 * Where things lie on the page, by name: `draw`, `discard`, `faceup-0`, `hand-0`, `field-2-1`, `aside-3`,
 * `coins-1`, `seat-4`.
 */
const places = new Map<string, Set<HTMLElement>>();

/** Make an element a place where cards travel to and from: `{@attach place("draw")}`. */
export function place(name: string): Attachment<HTMLElement> {
  return (element) => {
    const here = places.get(name) ?? new Set();
    places.set(name, here.add(element));
    element.dataset["place"] = name;
    return () => {
      here.delete(element);
      if (here.size === 0) places.delete(name);
    };
  };
}

/** Return the first of these places that is on the page and to be seen. */
export function elementAt(names: readonly string[]): HTMLElement | null {
  for (const name of names) {
    for (const element of places.get(name) ?? []) {
      if (element.getClientRects().length > 0) return element;
    }
  }
  return null;
}
