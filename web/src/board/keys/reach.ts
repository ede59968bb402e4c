/** What on the page a key can reach: what is seen, enabled, and not part of a text field. */
import { focusOn, isThere } from "../../lib/focus";

/** The cards that keys can reach. */
export const CARDS = "[data-card], [data-face-up], [data-aside], [data-gift]";

/** Whether keys are letters of a text there. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

/** Return what can be reached of all that matches. */
export function list(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].filter(isThere);
}

/** Return the first that matches and can be reached. */
export function find(selector: string): HTMLElement | null {
  return list(selector)[0] ?? null;
}

/** Whether the keyboard is inside something that matches. */
export function within(selector: string): boolean {
  return document.activeElement?.closest(selector) != null;
}

/** Whether the keyboard is on something that has keys of its own. */
export function inControls(): boolean {
  return (
    document.activeElement?.closest("button, a, summary, input, select, textarea, [role=dialog]") != null
  );
}

/** Go to the first that matches; returns whether there is one. */
export function focusFirst(selector: string): boolean {
  const found = find(selector);
  if (found !== null) focusOn(found);
  return found !== null;
}

/** Go on from one to the next of those that match. */
export function step(selector: string, by: number): boolean {
  const all = list(selector);
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by];
  if (next !== undefined) focusOn(next);
  return true;
}

/** Click the one behind that which is pressed. */
export function next(selector: string): void {
  const all = list(selector);
  const at = all.findIndex((element) => element.getAttribute("aria-pressed") === "true");
  const found = all[(at + 1) % all.length];
  found?.click();
  if (found !== undefined) focusOn(found);
}

const middle = (box: DOMRect): number => box.left + box.width / 2;

/** Return the cards that lie in one row with this one, from left to right. */
export function rowOf(card: HTMLElement): HTMLElement[] {
  const kind = ["card", "faceUp", "aside", "gift"].find((name) => name in card.dataset) ?? "card";
  const row = list(CARDS).filter((other) => kind in other.dataset);
  return row.sort(
    (one, other) => middle(one.getBoundingClientRect()) - middle(other.getBoundingClientRect()),
  );
}

/** Go from a row of cards to the nearest card of the row above or below. */
export function across(by: number): boolean {
  const here = document.activeElement?.closest<HTMLElement>(CARDS) ?? null;
  if (here === null) return false;
  const box = here.getBoundingClientRect();
  const far = (other: HTMLElement): number => {
    const there = other.getBoundingClientRect();
    return Math.abs(there.top - box.top) * 4 + Math.abs(middle(there) - middle(box));
  };
  const row = rowOf(here);
  const others = list(CARDS).filter(
    (other) => !row.includes(other) && (other.getBoundingClientRect().top - box.top) * by > 0,
  );
  const [nearest] = others.sort((one, other) => far(one) - far(other));
  if (nearest !== undefined) focusOn(nearest);
  return true;
}
