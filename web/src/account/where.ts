/** Whether passkeys can be used on a page, and what its device is called. */

/** What keeps passkeys from being used here. */
export type Obstacle = "no-tls" | "other-host" | "no-passkeys";

/** What is known of the page. */
export interface Place {
  readonly secure: boolean;
  readonly host: string;
  readonly passkeys: boolean;
}

/** Return what keeps passkeys for a host name from being used on a page, or `null`. */
export function obstacleOf(party: string, place: Place): Obstacle | null {
  if (!place.secure) return "no-tls";
  if (place.host !== party && !place.host.endsWith(`.${party}`)) return "other-host";
  return place.passkeys ? null : "no-passkeys";
}

/** Return the address of this page under the host name for which passkeys are made. */
export function addressAt(party: string, here: URL): string {
  return party === "localhost" ? `http://localhost:${here.port}/` : `https://${party}/`;
}

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "Mac"],
  [/Linux/, "Linux"],
] as const;

/** Return what a device is called in lists, from what its browser says of itself: "Firefox, Linux". */
export function deviceName(agent: string): string {
  const found = [BROWSERS, SYSTEMS].map((kinds) => kinds.find(([sign]) => sign.test(agent))?.[1]);
  return found.filter((name) => name !== undefined).join(", ");
}
