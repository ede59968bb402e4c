/** Whether and how this device is told that a game waits: what the browser and the server are asked. */
import type { AlertsInfo, ChangeAlerts, ChannelTested, NewChannel } from "../generated/protocol";
import { call } from "../lib/http";
import { deviceName } from "../account/where";

/** What keeps this device from being told. */
export type Obstacle = "not-offered" | "no-tls" | "no-push" | "denied";

/** What is known of the page and its browser. */
export interface Place {
  readonly secure: boolean;
  readonly push: boolean;
  readonly permission: NotificationPermission;
}

const PATH = "/api/me/alerts";

/** Return what keeps a page from sending messages, or `null`. */
export function obstacleOf(offered: readonly string[], place: Place): Obstacle | null {
  if (!offered.includes("push")) return "not-offered";
  if (!place.secure) return "no-tls";
  if (!place.push) return "no-push";
  return place.permission === "denied" ? "denied" : null;
}

/** Return what is known of this page. */
export function here(): Place {
  const push = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return { secure: isSecureContext, push, permission: push ? Notification.permission : "default" };
}

/** Return by what and when we are told. */
export const alertsOf = (): Promise<AlertsInfo> => call("GET", PATH);

/** Say when we want to be told. */
export const change = (wanted: ChangeAlerts): Promise<AlertsInfo> => call("PATCH", PATH, wanted);

/** Be told by a channel no more. */
export const drop = (channel: string): Promise<AlertsInfo> => call("DELETE", `${PATH}/channels/${channel}`);

/** Be told by an e-mail address, a topic of ntfy (a new one, if it is empty), or a hook. */
export const add = (kind: "mail" | "ntfy" | "hook", endpoint: string): Promise<AlertsInfo> =>
  call("POST", `${PATH}/channels`, { kind, endpoint });

/** Be told of turns by a channel, or no more. */
export const setActive = (channel: string, active: boolean): Promise<AlertsInfo> =>
  call("PATCH", `${PATH}/channels/${channel}`, { active });

/** Have a test sent; an e-mail address that is not confirmed gets its link again. */
export const test = (channel: string): Promise<ChannelTested> =>
  call("POST", `${PATH}/channels/${channel}/test`);

/** Return where and with which keys this browser is reached; `null` if that was not allowed. */
export async function subscription(key: string): Promise<Omit<NewChannel, "kind" | "label"> | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // one that was made for another key of the server brings nothing
  if (before !== null && keyOf(before) !== key) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  return { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" };
}

/** Let this device be told; `null` if that was not allowed. */
export async function subscribe(key: string): Promise<AlertsInfo | null> {
  const made = await subscription(key);
  if (made === null) return null;
  return call("POST", `${PATH}/channels`, { kind: "push", ...made, label: deviceName(navigator.userAgent) });
}

/** End the subscription of this browser. */
export async function unsubscribe(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}

function keyOf(subscription: PushSubscription): string {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Return minutes of the day as a field of a time has them. */
export const asTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** Return the minutes of the day that a field of a time has; `null` while it is not filled in. */
export function asMinutes(time: string): number | null {
  const [hours, minutes] = time.split(":").map(Number);
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes)
    ? null
    : hours * 60 + minutes;
}
