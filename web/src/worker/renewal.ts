/** A push service has ended the subscription of this browser; without any of the browser's parts, for the tests. */
import type { AlertsInfo, ChannelInfo } from "../generated/protocol";

/** Ask the server for something. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** What a browser gives to whoever subscribes. */
export interface Subscribed {
  readonly endpoint?: string;
  readonly keys?: Readonly<Record<string, string>>;
}

const PATH = "/api/me/alerts";

const own = ({ channels }: AlertsInfo): readonly ChannelInfo[] =>
  channels.filter(({ kind, here }) => kind === "push" && here);

/** Subscribe again and tell the server, which forgets the old one; nothing is done if this browser was told no more. */
export async function renew(ask: Ask, subscribe: (key: string) => Promise<Subscribed>): Promise<void> {
  const before = (await ask("GET", PATH)) as AlertsInfo;
  const [old] = own(before);
  if (old === undefined || !before.offered.includes("push")) return;
  const { endpoint, keys } = await subscribe(before.key);
  const given = { kind: "push", endpoint, p256dh: keys?.["p256dh"], auth: keys?.["auth"], label: old.label };
  const after = (await ask("POST", `${PATH}/channels`, given)) as AlertsInfo;
  const renewed = own(after).some(({ id }) => id !== old.id);
  if (renewed) await ask("DELETE", `${PATH}/channels/${old.id}`);
}
