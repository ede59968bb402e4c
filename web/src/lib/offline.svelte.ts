/** The page without a network: registers the service worker, and tells when the server has a newer page. */

/** How often, in ms, a newer page is looked for at most. */
const EVERY = 60_000;

/** How long, in ms, between two games that are fetched: the server computes each, and lets nobody ask too often. */
const PAUSE = 1000;

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
    // each worker names its build when it takes over
    workers.addEventListener("message", ({ data }) => {
      this.newer = data !== document.documentElement.dataset["build"];
    });
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

/** Fetch something to its end, for an answer that nobody reads holds up the worker; tell whether it was given. */
async function fetched(path: string): Promise<boolean> {
  const answer = await fetch(path, { credentials: "same-origin" });
  await answer.arrayBuffer();
  return answer.ok;
}

/** Let the service worker hear from the server who uses this browser now: what it stores is his. */
export async function storeUser(): Promise<void> {
  if (worksOffline()) await fetched("/api/me").catch(() => undefined); // the next visit tells it
}

/** What has been stored since the page was opened. */
const stored = new Set<string>();

/** Fetch these once, one after another, so that they are there without a network as the server tells them now. */
export async function store(paths: readonly string[]): Promise<void> {
  await each(
    paths,
    (path) => Promise.resolve(!stored.has(path)),
    (path) => void stored.add(path),
  );
}

/** Fetch those that are not stored yet, slowly, so that they are there without a network. */
export async function storeMissing(paths: readonly string[]): Promise<void> {
  await each(
    paths,
    async (path) => (await caches.match(path)) === undefined,
    () => new Promise((done) => setTimeout(done, PAUSE)),
  );
}

/** Fetch those that are wanted through the service worker, until the server refuses one. */
async function each(
  paths: readonly string[],
  isWanted: (path: string) => Promise<boolean>,
  then: (path: string) => Promise<void> | void,
): Promise<void> {
  const workers = workersHere();
  if (workers === null) return;
  try {
    await workers.ready; // never, where nothing is registered
    if (workers.controller === null)
      await new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
    for (const path of paths) {
      if (!(await isWanted(path))) continue;
      if (!(await fetched(path))) return;
      await then(path);
    }
  } catch {
    // the next visit tries again
  }
}
