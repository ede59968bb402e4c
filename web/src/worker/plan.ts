/** Which requests the service worker answers, and how; without any of the browser's parts, so that it can be tested. */
import { MINE, OURS } from "./names";

/**
 * What is done with a request. `asset`: a file whose name changes with its content. The rest comes from the server
 * while it answers, else as it came last: `page` is the shell and `file` another file of the page; `known` is the same
 * for everybody, `me` says who uses this browser, and `mine` belongs to him. `none`: the browser's own business.
 */
export type Plan = "page" | "file" | "asset" | "known" | "me" | "mine" | "none";

/** What the plan depends on. */
export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: URL;
}

const KNOWN = new Set(["/api/catalog", "/api/clauses", "/api/rules"]);
const OWN = new Set(["/api/me/records", "/api/me/tables"]);
/** What is left of a finished game never changes, and is worth having on the train. */
const GAMES = /^\/api\/(tables|records)\/[\w-]+\/(replay|summary)$/;
const FILES = /^\/(icons\/|manifest\.webmanifest$)/;

/** Return what is done with a request to the own origin. */
export function planFor({ method, mode, url }: Asked, origin: string): Plan {
  if (method !== "GET" || url.origin !== origin) return "none";
  if (mode === "navigate")
    return /^\/(api|ws|healthz|readyz|metrics)(\/|$)/.test(url.pathname) ? "none" : "page";
  if (url.pathname.startsWith("/assets/")) return "asset";
  if (FILES.test(url.pathname)) return "file";
  if (KNOWN.has(url.pathname)) return "known";
  if (url.pathname === "/api/me") return "me";
  return OWN.has(url.pathname) || GAMES.test(url.pathname) ? "mine" : "none";
}

/** Tell whether the server itself has answered: it says why it fails; a proxy answers for a server that is gone. */
export async function isServers(answer: Response): Promise<boolean> {
  if (answer.status < 500) return true;
  try {
    const body = (await answer.clone().json()) as { readonly reason?: unknown } | null;
    return typeof body?.reason === "string";
  } catch {
    return false;
  }
}

/**
 * Return those of all stores, oldest first, that may go: what is older than the present page, but for the page before
 * it, which tabs may still show, and what is a user's. `whole` are the pages whose installation came to its end.
 */
export function outdated(
  names: readonly string[],
  whole: readonly string[],
  present: string,
): readonly string[] {
  const older = names.slice(0, Math.max(0, names.indexOf(present)));
  const before = older.findLast((name) => whole.includes(name));
  return older.filter((name) => name.startsWith(OURS) && name !== before && !name.startsWith(MINE));
}
