/** The page without a network: registers the service worker, and tells when the server has a newer page. */
import { MINE } from "../worker/names";

const USER = "bohn.stored-for";

/** How often, in ms, a newer page is looked for at most. */
const EVERY = 60_000;

/** What is known of the service worker. */
class Offline {
  /** Whether the server has a newer page than the one that is shown. */
  newer = $state(false);
  private registered: ServiceWorkerRegistration | null = null;
  private looked = 0;

  /** Let the page be installed and opened without a network, where the browser allows that. */
  async begin(): Promise<void> {
    const workers = workersHere();
    if (workers === null) return;
    const before = workers.controller !== null;
    workers.addEventListener("controllerchange", () => (this.newer ||= before));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") void this.look();
    });
    try {
      this.registered = await workers.register("/sw.js", { updateViaCache: "none" });
      this.looked = Date.now();
      const { active } = await workers.ready;
      const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      active?.postMessage(loaded.filter((path) => path.startsWith("/assets/")));
    } catch {
      // a browser that forbids it shows the page all the same
    }
  }

  /** Look whether the server has a newer page; called when the connection to it is back. */
  async look(): Promise<void> {
    if (this.registered === null || Date.now() - this.looked < EVERY) return;
    this.looked = Date.now();
    await this.registered.update().catch(() => undefined); // there is no network
  }
}

export const offline = new Offline();

/** Return the browser's service workers; `null` where the address is plain http, or the browser has none. */
function workersHere(): ServiceWorkerContainer | null {
  return isSecureContext && "serviceWorker" in navigator ? navigator.serviceWorker : null;
}

/** Tell whether this page can be opened without a network. */
export function worksOffline(): boolean {
  return workersHere()?.controller != null;
}

/** Forget what is stored of another user than this one. */
export async function storeOnlyFor(user: string | null): Promise<void> {
  if (!isSecureContext || typeof caches === "undefined") return;
  try {
    if (localStorage.getItem(USER) === (user ?? "")) return;
    localStorage.setItem(USER, user ?? "");
    await caches.delete(MINE);
  } catch {
    // without storage nothing is stored
  }
}

/** Fetch what is not stored yet, one after another, so that it is there without a network. */
export async function store(paths: readonly string[]): Promise<void> {
  const workers = workersHere();
  if (workers === null) return;
  try {
    await workers.ready; // never, where nothing is registered
    if (workers.controller === null)
      await new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
    for (const path of paths)
      if ((await caches.match(path)) === undefined) await fetch(path, { credentials: "same-origin" });
  } catch {
    // the next visit tries again
  }
}
