/** Tables as the lobby knows them: which there are, how one is opened, and which computer players it may have. */
import type { LinkMade, NewTable, Seat, TableInfo, TableList, TableMade } from "../generated/protocol";
import { call } from "./http";
import { levelOf } from "./names";
import { session } from "./session.svelte";

/** Return one's own part of the seed: 16 random bytes in hexadecimal digits. */
export function salt(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Open a table and return its id; comes in first where that is needed. */
export async function openTable(wish: NewTable): Promise<string> {
  await session.enter();
  const made = await call<TableMade>("POST", "/api/tables", wish);
  return made.table;
}

/** Return the tables that are shown to everybody. */
export async function openTables(): Promise<readonly TableInfo[]> {
  return (await call<TableList>("GET", "/api/tables")).tables;
}

/** Return the tables at which one has a seat, those that moved last first. */
export async function ownTables(): Promise<readonly TableInfo[]> {
  return session.me === null ? [] : (await call<TableList>("GET", "/api/me/tables")).tables;
}

/** Return an address that makes another device the same user, seats and all; it works once. */
export async function deviceLink(): Promise<string> {
  const link = await call<LinkMade>("POST", "/api/me/links");
  return `${session.catalog?.share ?? location.origin}/join#${link.token}`;
}

/** Return the computer players worth meeting in an edition, the easiest first. */
export function botsFor(edition: string): readonly string[] {
  return session.catalog?.editions.find((entry) => entry.edition === edition)?.bots ?? [];
}

/** Return the computer player that is meant where none is named; nothing if the server offers none. */
export function usualBot(edition: string): string {
  return session.catalog?.editions.find((entry) => entry.edition === edition)?.usual ?? "";
}

/** Return the level of the computer player that was seated last: the name by which others like it are asked for. */
export function levelSeated(seats: readonly Seat[]): string {
  return levelOf(seats.findLast((seat) => seat.bot !== null)?.bot ?? "");
}

/** Computer players in a game that begins at once. */
const COMPANY = 3;

/** Return the wish for a game that begins at once, with computer players in all other seats. */
export function quickGame(): NewTable {
  return {
    options: {
      edition: "full",
      players: COMPANY + 1,
      house_rules: [],
      clock: "none",
      listed: false,
      spectators: true,
      delay: 0,
      pace: "normal",
    },
    bots: Array.from({ length: COMPANY }, () => usualBot("full")),
    salt: salt(),
    start: true,
  };
}
