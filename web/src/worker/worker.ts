/**
 * The service worker: opens the page, the rules and one's own games where there is no network.
 *
 * While the server answers, what it says is shown, so that no page is older than its server; what came last is
 * shown only where no answer comes. It stores whole answers and knows nothing of the game.
 */
import { KNOWN, MINE, PAGE } from "./names";
import { isServer, outdated, planFor } from "./plan";

/** The files of the page, and the name of this build; both are filled in when it is built. */
declare const SHELL: readonly string[];
declare const BUILD: string;

declare const self: ServiceWorkerGlobalScope;

/** How many answers of one user are stored; the oldest go first. */
const MOST = 120;

const page = PAGE + BUILD;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(page)
      .then((store) => store.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(outdated(names, PAGE, page).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// What the page had loaded before there was a worker: its language, its fonts.
self.addEventListener("message", (event) => {
  const wanted: unknown = event.data;
  if (!Array.isArray(wanted)) return;
  const paths = wanted.filter(
    (path): path is string => typeof path === "string" && path.startsWith("/assets/"),
  );
  event.waitUntil(
    caches.open(page).then((store) =>
      Promise.all(
        paths.map(async (path) => {
          if ((await store.match(path)) === undefined) await store.add(path).catch(() => undefined);
        }),
      ),
    ),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  switch (planFor({ method: request.method, mode: request.mode, url }, self.location.origin)) {
    case "page":
      return event.respondWith(fromServer(event, page, "/", false));
    case "asset":
      return event.respondWith(asset(event));
    case "known":
      return event.respondWith(fromServer(event, KNOWN, url.pathname + url.search));
    case "mine":
      return event.respondWith(fromServer(event, MINE, url.pathname + url.search));
    case "none":
      return;
  }
});

/** Answer as the server does, and keep that; where it does not answer, with what the store has under `key`. */
async function fromServer(event: FetchEvent, name: string, key: string, keeps = true): Promise<Response> {
  let answer: Response | null = null;
  try {
    answer = await fetch(event.request);
  } catch {
    // there is no network
  }
  if (answer !== null && isServer(answer.status)) {
    if (keeps && answer.ok) event.waitUntil(keep(name, key, answer.clone()));
    return answer;
  }
  const store = await caches.open(name);
  return (await store.match(key)) ?? answer ?? Response.error();
}

/** Answer with a stored file, which cannot be outdated; fetch and keep it else. */
async function asset(event: FetchEvent): Promise<Response> {
  const stored = await caches.match(event.request);
  if (stored !== undefined) return stored;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(keep(page, event.request.url, answer.clone()));
  return answer;
}

async function keep(name: string, key: string, answer: Response): Promise<void> {
  try {
    const store = await caches.open(name);
    await store.put(key, answer);
    if (name !== MINE) return;
    const keys = await store.keys();
    await Promise.all(keys.slice(0, -MOST).map((old) => store.delete(old)));
  } catch {
    // the disk is full, or the answer broke off: it is simply not there without a network
  }
}
