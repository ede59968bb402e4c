/** What a reader of the rules has asked for, and the chapters and clauses that answer it. */
import type { ClauseInfo, EditionInfo, RuleSheet } from "../generated/protocol";
import { holds, words } from "./search";

/** What is read: an edition, the number of players, and house rules as `key=value`. */
export interface Reading {
  readonly edition: string;
  readonly players: number | null;
  readonly house: readonly string[];
}

/** Return what an address asks for. */
export function readingOf(edition: string, query: URLSearchParams): Reading {
  const players = Number(query.get("players"));
  return {
    edition,
    players: Number.isInteger(players) && players > 0 ? players : null,
    house: query.getAll("house"),
  };
}

function queryOf({ players, house }: Reading): URLSearchParams {
  const query = new URLSearchParams();
  if (players !== null) query.set("players", String(players));
  for (const rule of house) query.append("house", rule);
  return query;
}

/** Return the address of the page that shows it. */
export function pageOf(reading: Reading): string {
  const query = queryOf(reading).toString();
  return `/rules/${encodeURIComponent(reading.edition)}${query === "" ? "" : `?${query}`}`;
}

/** Return the address of the API that answers it. */
export function apiOf(reading: Reading): string {
  const query = queryOf(reading);
  query.set("edition", reading.edition);
  return `/api/rules?${query.toString()}`;
}

/** Return another edition read with as many players, if it knows that number, and without house rules. */
export function withEdition(reading: Reading, edition: string, editions: readonly EditionInfo[]): Reading {
  const known = editions.find((info) => info.edition === edition)?.players ?? [];
  return {
    edition,
    players: reading.players !== null && known.includes(reading.players) ? reading.players : null,
    house: [],
  };
}

/** Return the house rules with one of them at another value; an empty value takes it out. */
export function withHouse(house: readonly string[], key: string, value: string): readonly string[] {
  const others = house.filter((rule) => !rule.startsWith(`${key}=`));
  return value === "" ? others : [...others, `${key}=${value}`];
}

/** A subject of the rules with its clauses. */
export interface Chapter {
  readonly section: string;
  readonly clauses: readonly ClauseInfo[];
}

/**
 * Return the chapters of a game, those clauses only in which every word of the query stands; `text` is how a
 * clause is shown.
 */
export function chapters(
  sheet: RuleSheet,
  clauses: ReadonlyMap<string, ClauseInfo>,
  query: string,
  text: (clause: ClauseInfo) => string,
): readonly Chapter[] {
  const sought = words(query);
  const shown = (clause: ClauseInfo): boolean => holds([clause.id, clause.title, text(clause)], sought);
  return sheet.sections
    .map(({ section, clauses: ids }) => ({
      section,
      clauses: ids.flatMap((id) => clauses.get(id) ?? []).filter(shown),
    }))
    .filter((chapter) => chapter.clauses.length > 0);
}
