const KEY = "bohn.reloaded";
const ONCE_IN = 60_000;

/** Tell whether the page may be loaded anew by itself now, and note that it is: once in a while, so that it never goes round. */
export function mayReload(now: number, kept: Pick<Storage, "getItem" | "setItem">): boolean {
  try {
    if (now - Number(kept.getItem(KEY) ?? 0) < ONCE_IN) return false;
    kept.setItem(KEY, String(now));
    return true;
  } catch {
    return false; // without storage it could go round for ever
  }
}

/** A part of the page is not there any more, most likely since the server has a newer one: load it, if the server answers. */
export async function reloadOnce(): Promise<void> {
  try {
    await fetch("/", { method: "HEAD", cache: "no-store" });
  } catch {
    return; // the line is gone, and what is shown is better than nothing
  }
  if (mayReload(Date.now(), sessionStorage)) location.reload();
}
