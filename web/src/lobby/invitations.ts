/** The link with which the user of this page invites others to a table. */
import type { LinkInfo, LinkMade } from "../generated/protocol";
import { call } from "../lib/http";
import { note } from "../lib/router.svelte";
import { session } from "../lib/session.svelte";

interface SavedLink {
  readonly id: string;
  readonly token: string;
}

const place = (table: string): string => `bohn.invitation.${table}`;

function loadLink(table: string): SavedLink | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(place(table)) ?? "null");
    return typeof found === "object" && found !== null && "id" in found && "token" in found
      ? (found as SavedLink)
      : null;
  } catch {
    return null; // no storage, or somebody else's text in it
  }
}

function saveLink(table: string, link: SavedLink): void {
  try {
    sessionStorage.setItem(place(table), JSON.stringify({ id: link.id, token: link.token }));
  } catch {
    // without storage every visit makes a link of its own
  }
}

/** Put the invitation this tab has, if any, into the address of the table: whoever is sent that is invited. */
export function showInAddress(table: string): void {
  const link = loadLink(table);
  if (link !== null && location.pathname === `/t/${table}`) note(`/t/${table}#${link.token}`);
}

/**
 * Return the address of one's invitation to a table: the one this tab has, as long as the server takes it.
 * Its secret stands behind `#`, where no log sees it.
 */
export async function ownInvitation(table: string): Promise<string> {
  const before = loadLink(table);
  const links = before === null ? [] : await call<readonly LinkInfo[]>("GET", `/api/tables/${table}/links`);
  const good = before !== null && links.some((link) => link.id === before.id);
  const link = good ? before : await call<LinkMade>("POST", `/api/tables/${table}/links`);
  saveLink(table, link);
  showInAddress(table);
  return `${session.catalog?.share ?? location.origin}/join#${link.token}`;
}
