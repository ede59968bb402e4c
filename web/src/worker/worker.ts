/**
 * The service worker: opens the page, the rules and one's own games where there is no network.
 *
 * While the server answers, what it says is shown, so that no page is older than its server; what came last is
 * shown only where no answer comes. It stores whole answers and knows nothing of the game.
 */
import { KNOWN, MINE, PAGE } from "./names";
import { noticeOf, pathOf } from "./notice";
import { isServers, outdated, planFor } from "./plan";
import { renew } from "./renewal";

/** The files of the page, and the name of this build; both are filled in when it is built. */
declare const SHELL: readonly string[];
declare const BUILD: string;

declare const self: ServiceWorkerGlobalScope;

/** How many answers are stored that everybody is told, and how many of one user; the oldest go first. */
const MOST_KNOWN = 60;
const MOST_MINE = 120;

const page = PAGE + BUILD;
const known = KNOWN + BUILD;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

/** Store the page, all of it or nothing; and, as this server tells it, what the page before had of the rules. */
async function install(): Promise<void> {
  await caches.delete(page); // left by an installation that broke off, or an earlier one: the newest stands last
  const paths = await storedPaths(KNOWN);
  try {
    await (await caches.open(page)).addAll(SHELL);
  } catch (error) {
    await caches.delete(page);
    throw error;
  }
  const store = await caches.open(known);
  await Promise.all(paths.map((path) => store.add(path).catch(() => undefined)));
  await self.skipWaiting();
}

/** Take over all tabs, and tell them which build the server has now. */
async function activate(): Promise<void> {
  const names = await caches.keys();
  const whole: string[] = [];
  for (const name of names.filter((one) => one.startsWith(PAGE)))
    if ((await (await caches.open(name)).match("/")) !== undefined) whole.push(name);
  await Promise.all(outdated(names, whole, page).map((name) => caches.delete(name)));
  await self.clients.claim();
  for (const tab of await self.clients.matchAll()) tab.postMessage(BUILD);
}

/** Return what stands in the stores whose names begin like this. */
async function storedPaths(beginning: string): Promise<readonly string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(beginning));
  const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return [...new Set(keys.flat().map(({ url }) => url))];
}

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
  const key = url.pathname + url.search;
  switch (planFor({ method: request.method, mode: request.mode, url }, self.location.origin)) {
    case "page":
      return event.respondWith(fromServer(event, caches.open(page), "/", 0));
    case "file":
      return event.respondWith(fromServer(event, caches.open(page), url.pathname, Infinity));
    case "asset":
      return event.respondWith(asset(event));
    case "known":
      return event.respondWith(fromServer(event, caches.open(known), key, MOST_KNOWN));
    case "me":
      return event.respondWith(me(event, key));
    case "mine":
      return event.respondWith(fromServer(event, own(), key, MOST_MINE));
    case "none":
      return;
  }
});

self.addEventListener("push", (event) => event.waitUntil(tell(event.data)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(ask, subscribe)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(pathOf(event.notification.data)));
});

/** Show a message; a later one of the same table takes the place of the one before. */
async function tell(data: PushMessageData | null): Promise<void> {
  let said: unknown = null;
  try {
    said = data?.json();
  } catch {
    // no message of ours
  }
  const notice = noticeOf(said);
  if (notice === null) return;
  const { title, body, table, count } = notice;
  await self.registration.showNotification(title, {
    body,
    tag: table === "" ? "test" : table,
    data: table,
    icon: "/icons/icon-192.png",
  });
  if (count > 0) await navigator.setAppBadge?.(count).catch(() => undefined);
}

/** Ask the server; whatever it refuses ends what is done. */
async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const init: RequestInit = { method, credentials: "same-origin" };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  const answer = await fetch(path, init);
  if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)}`);
  return answer.json();
}

/** Subscribe to the pushes of a server by its key. */
async function subscribe(key: string): Promise<PushSubscriptionJSON> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return (await self.registration.pushManager.subscribe(options)).toJSON();
}

/** Bring a tab that shows this path to the front; else another one, which goes there, or a new one. */
async function lead(path: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = tabs.find((tab) => new URL(tab.url).pathname === path);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  const [tab] = tabs;
  try {
    if (tab !== undefined && (await (await tab.focus()).navigate(path)) !== null) return;
  } catch {
    // it is not ours yet, or has just gone
  }
  await self.clients.openWindow(path);
}

/**
 * Answer as the server does, and keep that as one of at most so many; where it does not answer, with what the store
 * has under `key`. The store is opened before: an answer that comes when its user has changed goes with it.
 */
async function fromServer(
  event: FetchEvent,
  opened: Promise<Cache>,
  key: string,
  most: number,
): Promise<Response> {
  const [store, answer] = await Promise.all([opened, fetch(event.request).catch(() => null)]);
  if (answer !== null && (await isServers(answer))) {
    if (most > 0 && answer.ok) event.waitUntil(keep(store, key, answer.clone(), most));
    return answer;
  }
  return (await store.match(key)) ?? answer ?? Response.error();
}

/** Return the store of the user of this browser, as the server named him last. */
async function own(): Promise<Cache> {
  return caches.open((await caches.keys()).find((name) => name.startsWith(MINE)) ?? MINE);
}

/** Answer who the user is; of anybody else nothing stays here. */
async function me(event: FetchEvent, key: string): Promise<Response> {
  const answer = await fromServer(event, own(), key, 0);
  if (!answer.ok && answer.status !== 401) return answer;
  const user = answer.ok ? ((await answer.clone().json()) as { readonly user: string }).user : "";
  const others = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== MINE + user);
  await Promise.all(others.map((name) => caches.delete(name)));
  if (answer.ok) await keep(await caches.open(MINE + user), key, answer.clone(), MOST_MINE);
  return answer;
}

/** Answer with a stored file, which cannot be outdated; fetch and keep it else. */
async function asset(event: FetchEvent): Promise<Response> {
  const store = await caches.open(page);
  const stored = (await store.match(event.request)) ?? (await caches.match(event.request));
  if (stored !== undefined) return stored;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(keep(store, event.request.url, answer.clone(), Infinity));
  return answer;
}

async function keep(store: Cache, key: string, answer: Response, most: number): Promise<void> {
  try {
    await store.put(key, answer);
    const keys = await store.keys();
    await Promise.all(keys.slice(0, -most).map((old) => store.delete(old)));
  } catch {
    // the disk is full, or the answer broke off: it is simply not there without a network
  }
}
