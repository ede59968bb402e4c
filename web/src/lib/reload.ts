/** Loads the page again when a part of it can no longer be loaded, but never in a loop. */

const KEY = "bohn.reloaded";
/** For how long, in ms, the page does not load itself again: where loading does not help it would never end. */
const PAUSE = 60_000;

/**
 * Tell whether the page may load itself again now, and note that it does: at most once in a while, so that it
 * never loads in a circle.
 */
export function mayReload(now: number, storage: Pick<Storage, "getItem" | "setItem">): boolean {
  try {
    if (now - Number(storage.getItem(KEY) ?? 0) < PAUSE) return false;
    storage.setItem(KEY, String(now));
    return true;
  } catch {
    return false; // without storage it could load in a circle
  }
}

/**
 * Load the page again, if the server answers: a part of it could not be loaded, most likely because the server
 * has a newer page.
 */
export async function reloadOnce(): Promise<void> {
  try {
    await fetch("/", { method: "HEAD", cache: "no-store" });
  } catch {
    return; // no connection, and what is shown is better than nothing
  }
  if (mayReload(Date.now(), sessionStorage)) location.reload();
}
