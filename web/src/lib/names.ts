/** The names of players, computer players and seats, as the viewer reads them. */
import { has, inForm, t } from "./i18n.svelte";
import type { TableModel } from "./model.svelte";
import { session } from "./session.svelte";

/** What computer players are called by seat, unless the table says otherwise; a mark beside it tells that it is one. */
const COMPANY = ["Anna", "Bert", "Chiyo", "Dagur", "Elio", "Freja", "Galja"] as const;

/** What they are called in the same seats where a person at the table has that name already. */
const OTHERS = ["Aksel", "Britta", "Carlo", "Dunja", "Emil", "Fanny", "Gino"] as const;

/** What computer players are called in records, which the page replaces by names. */
const NUMBERED = /^Bot\d*$/;

/** Tell whether this is what a record calls a computer player that has no name. */
export function isNumbered(name: string): boolean {
  return NUMBERED.test(name);
}

/** Return what a seat is called by everybody. */
export function nameOf(table: TableModel, seat: number): string {
  const given = table.names[seat] ?? lessonNames(table)[seat] ?? "";
  if (given !== "") return given;
  const user = table.place(seat)?.user ?? null;
  if (user !== null) return userName(table, user);
  const own = table.place(seat)?.name ?? "";
  if (own !== "" && !isNumbered(own)) return own; // a bot that plays on for somebody is called as he was
  const users = (table.room?.seats ?? []).flatMap(({ user }) => user ?? []);
  return companyName(
    seat,
    users.map((user) => table.people[user]?.name ?? ""),
  );
}

/**
 * Return what a computer player in a seat is called that has no name of its own: the same wherever it is named.
 * Beside a person of that name, who keeps it, it has another one.
 */
export function companyName(seat: number, people: readonly string[]): string {
  const at = seat % COMPANY.length;
  return (people.includes(COMPANY[at] ?? "") ? OTHERS : COMPANY)[at] ?? String(seat + 1);
}

/** Return what a seat is called for the viewer, whose own seat is "you". */
export function calledBy(table: TableModel, seat: number, form = ""): string {
  return seat === table.seat ? t(inForm("words.you", form)) : nameOf(table, seat);
}

/** Return what a user at this table is called. */
export function userName(table: TableModel, user: string): string {
  const name = table.people[user]?.name || t("app.nobody");
  const before = namesakesBefore(table, user);
  return before === 0 ? name : `${name} ${before + 1}`;
}

/** Count who is called the same and sits before a user: as long as nobody is removed, that stays as it is. */
function namesakesBefore({ room, people }: TableModel, user: string): number {
  const users = (room?.seats ?? []).map((seat) => seat.user);
  const name = people[user]?.name ?? "";
  return users
    .slice(0, Math.max(0, users.indexOf(user)))
    .filter((other) => other !== null && (people[other]?.name ?? "") === name).length;
}

/** Tell whether a computer player plays a seat now. */
export function isBot(table: TableModel, seat: number): boolean {
  return (table.place(seat)?.bot ?? null) !== null;
}

/** Return the level at which a computer player plays: "strong" for "strong-1", any other name as it is. */
export function levelOf(name: string): string {
  return name.replace(/-\d+$/u, "");
}

/** Return how a computer player plays, in a word: "strong". One that the lobby does not offer is just one. */
export function botText(name: string): string {
  const key = `bot.${levelOf(name)}`;
  return has(key) ? t(key) : t("after.computer");
}

/** Return how a computer player plays, in a sentence; nothing for one that the lobby does not offer. */
export function botHint(name: string): string {
  const key = `bot.${levelOf(name)}-hint`;
  return has(key) ? t(key) : "";
}

/** Return what an edition is called. */
export function editionText(name: string): string {
  const key = `edition.${name}`;
  return has(key) ? t(key) : name;
}

/** Return words as one list, "a, b and c". */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : t("words.and", { first: words.slice(0, -1).join(t("words.comma")), last });
}

function lessonNames(table: TableModel): readonly string[] {
  const lesson = table.room?.lesson ?? null;
  return session.catalog?.lessons.find((known) => known.lesson === lesson)?.names ?? [];
}
