/** What the links in letters ask of the server; the secrets stand behind the `#`, so that no server logs them. */
import { call } from "../lib/http";

/** What a link in a letter is for. */
export type Letter =
  | { readonly what: "confirm" | "come-back"; readonly token: string }
  | { readonly what: "stop"; readonly channel: string; readonly key: string };

/** Return what a link says, or `null` if it is none, or not whole. */
export function taken(link: string): Letter | null {
  const [what, first = "", second = "", ...more] = link.split(".");
  if (!/^[\w-]+$/.test(first) || more.length > 0) return null;
  if (what === "stop") return /^[\w-]+$/.test(second) ? { what, channel: first, key: second } : null;
  return (what === "confirm" || what === "come-back") && second === "" ? { what, token: first } : null;
}

/** Confirm an e-mail address. */
export const confirmMail = (token: string): Promise<unknown> => call("POST", "/api/mail/confirm", { token });

/** Have no more e-mail about turns. */
export const stopMail = (channel: string, key: string): Promise<unknown> =>
  call("POST", `/api/mail/stop/${channel}/${key}`);
