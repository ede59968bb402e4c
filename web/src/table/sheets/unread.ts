/** How many lines of chat the viewer has not read yet. */
import type { LiveTable } from "../../lib/live.svelte";
import type { PageState } from "../state.svelte";

const key = (live: LiveTable | null): string => `bohn.read.${live?.id ?? ""}`;

/** Note which lines of a table's chat were read on this device before. */
export function loadRead(page: PageState, live: LiveTable | null): void {
  try {
    page.read = Number(localStorage.getItem(key(live)) ?? "0");
  } catch {
    // without storage all lines are new after a reload
  }
}

/** Return how many lines of others are new. */
export function unread(page: PageState, live: LiveTable | null): number {
  return live?.lines.filter((line) => line.line > page.read && line.user !== live.user).length ?? 0;
}

/** Note that all that is there now is read. */
export function readAll(page: PageState, live: LiveTable | null): void {
  const newest = live?.lines.at(-1)?.line ?? 0;
  if (newest <= page.read) return;
  page.read = newest;
  try {
    localStorage.setItem(key(live), String(newest));
  } catch {
    // it is known as long as the page lasts
  }
}
