/** Which requests the service worker answers, and how; without any of the browser's parts, so that it can be tested. */

/**
 * What is done with a request. `page`: the shell, always the server's own while it answers. `asset`: a file whose
 * name changes with its content. `known`: what is the same for everybody, and `mine`: what belongs to one user,
 * both from the server while it answers, else as they came last. `none`: the browser's own business.
 */
export type Plan = "page" | "asset" | "known" | "mine" | "none";

/** What the plan depends on. */
export interface Asked {
  readonly method: string;
  readonly mode: string;
  readonly url: URL;
}

const KNOWN = new Set(["/api/catalog", "/api/clauses", "/api/rules"]);
const MINE = new Set(["/api/me", "/api/me/records", "/api/me/tables"]);
/** What is left of a finished game never changes, and is worth having on the train. */
const GAMES = /^\/api\/(tables|records)\/[\w-]+\/(replay|summary)$/;
const ASSETS = /^\/(assets|icons)\//;

/** Return what is done with a request to the own origin. */
export function planFor({ method, mode, url }: Asked, origin: string): Plan {
  if (method !== "GET" || url.origin !== origin) return "none";
  if (mode === "navigate")
    return /^\/(api|ws|healthz|readyz|metrics)(\/|$)/.test(url.pathname) ? "none" : "page";
  if (ASSETS.test(url.pathname) || url.pathname === "/manifest.webmanifest") return "asset";
  if (KNOWN.has(url.pathname)) return "known";
  return MINE.has(url.pathname) || GAMES.test(url.pathname) ? "mine" : "none";
}

/** Tell whether an answer stands for a server that is there; a proxy answers for one that is not. */
export function isServer(status: number): boolean {
  return status !== 502 && status !== 503 && status !== 504;
}

/** Return those of the caches of pages, oldest first, that may go: all but the present one and the one before. */
export function outdated(names: readonly string[], prefix: string, present: string): readonly string[] {
  return names.filter((name) => name.startsWith(prefix) && name !== present).slice(0, -1);
}
