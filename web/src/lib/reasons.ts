/** Refusals of the server as sentences in the reader's language. */
import type { AnyCommand, Bean } from "../generated/protocol";
import { KINDS } from "./beans";
import type { Refusal } from "./http";
import { has, locale, t, type Inflected } from "./i18n.svelte";
import type { TableModel } from "./model.svelte";
import { listed, nameOf } from "./names";
import { beansWord, beanText, beanWord, bonusName, seatsWord } from "./sentences";

type Told = Pick<Refusal, "reason" | "params">;
type Table = TableModel | null;
type Word = string | number | Inflected;
type Writer = (value: unknown, table: Table) => Word;

/** Always possible, so not worth a mention. */
const TALK: readonly string[] = ["set-wish", "make-promise", "withdraw-promise"];

/** The phases that are the active player's alone. */
const ALONE: readonly string[] = ["plant", "reveal"];

/** Return why something was refused, in the language shown; a table knows the names of its seats. */
export function reasonText(refusal: Told, table: Table = null): string {
  const active = turnOfAnother(refusal, table);
  if (active !== null && table !== null)
    return t("reason.not-active-player", { active: nameOf(table, active) });
  const params = { ...reasonParams(refusal, table), ...roomFor(refusal, table) };
  const kinds = nextKinds(refusal, table);
  if (kinds.length > 0)
    return t("duel.does-not-fit", {
      ...params,
      kinds: either(kinds.map((bean) => beanText(bean, "pl"))),
    });
  // `why` speaks of what is tapped where the `reason` of the command line speaks of what is typed
  for (const family of ["why", "reason", "problem", "app"]) {
    const key = `${family}.${refusal.reason}`;
    if (has(key)) return t(key, params);
  }
  return refusal.reason;
}

/** Return whose turn it is, where that is why the viewer cannot do something; else `null`. */
function turnOfAnother({ reason }: Told, table: Table): number | null {
  const seat = table?.seat ?? null;
  if (reason !== "not-in-this-phase" || table === null || table.view === null || seat === null) return null;
  const { active_player, phase } = table.view;
  return active_player !== seat && ALONE.includes(phase.phase) ? active_player : null;
}

/** Return the kinds that fit on the viewer's field of a refusal, where that may be another than its own. */
function nextKinds({ reason, params }: Told, table: Table): readonly Bean[] {
  const seat = table?.seat ?? null;
  if (reason !== "does-not-fit" || table === null || seat === null) return [];
  return table.worth[seat]?.[Number(params["field"])]?.fits ?? [];
}

/**
 * Return how room can be made where a card does not fit: by a harvest of `this` field, or of the others, which are
 * `bigger` than the single bean there.
 */
function roomFor({ reason, params }: Told, table: Table): Record<string, Word> {
  const seat = table?.seat ?? null;
  if (reason !== "does-not-fit" || table === null || seat === null) return { room: "this", others: "" };
  const field = Number(params["field"]);
  const fields = table.allowed("harvest").map((command) => command.field);
  const single = table.player(seat)?.fields[field]?.length === 1;
  return {
    room: fields.includes(field) ? "this" : single && fields.length > 0 ? "bigger" : "none",
    others: either(fields.map((other) => String(other + 1))),
  };
}

/** Return the parameters of a refusal as words and numbers: seats and beans by name, fields and places from 1. */
export function reasonParams(refusal: Told, table: Table): Record<string, Word> {
  const made = Object.entries(refusal.params).map(([name, value]): [string, Word] => [
    name,
    (WRITERS[name] ?? plain)(value, table),
  ]);
  return { ...Object.fromEntries(made), ...expected(refusal, table) };
}

/** Return words as a choice, "a, b or c". */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : t("words.or", { first: words.slice(0, -1).join(t("words.comma")), last });
}

const plain: Writer = (value) =>
  typeof value === "number" ? value : Array.isArray(value) ? value.join(t("words.comma")) : String(value);

const said = (word: Word, form: string): string => (typeof word === "function" ? word(form) : String(word));

const fromOne: Writer = (value) => (typeof value === "number" ? value + 1 : String(value));

const seat: Writer = (value, table) =>
  table === null ? fromOne(value, table) : nameOf(table, Number(value));

/** Seats as a list; at a table the viewer is "you", in the form that a text names. */
const seats: Writer = (value, table) =>
  table === null
    ? listed(list(value).map((each) => String(fromOne(each, table))))
    : seatsWord(table, list(value).map(Number));

const bonus: Writer = (value, table) =>
  table === null ? plain(value, table) : bonusName(table, Number(value));

const text =
  (family: "phase" | "command"): Writer =>
  (value) => {
    const key = `${family}.${String(value)}`;
    return has(key) ? t(key) : String(value);
  };

/** A moment as it is read: the date and the time. */
export const momentText = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(at);

/** How the parameters are written that are no plain numbers; those of other names are left as they are. */
const WRITERS: Readonly<Record<string, Writer>> = {
  active: seat,
  word: seat,
  maker: seat,
  to: seats,
  player: fromOne,
  seat: fromOne,
  field: fromOne,
  place: fromOne,
  bean: (value) => beanWord(beanOf(value)),
  want: (value) => beansWord(list(value).map(beanOf)),
  bonus,
  until: (value) => (typeof value === "number" ? momentText(value) : "never"),
  phase: text("phase"),
  command: text("command"),
};

/** What would work, and how many such there are. */
function expected({ reason, params }: Told, table: Table): Record<string, Word> {
  const found = params["expected"];
  if (!Array.isArray(found)) return {};
  const values = reason === "not-in-this-phase" ? possible(found, table) : found;
  const write = EXPECTED[reason] ?? plain;
  const words = values.map((value) => write(value, table));
  return { expected: (form) => either(words.map((word) => said(word, form))), count: values.length };
}

const EXPECTED: Readonly<Record<string, Writer>> = {
  "not-in-this-phase": text("command"),
  "kind-named-already": (value) => beanWord(beanOf(value)),
  "no-such-bonus": bonus,
  "unknown-player": fromOne,
  "unknown-addressee": seat,
  "no-such-claim": seat,
  "bonus-already-decided": seat,
};

/** Of the commands of a phase, those that this player may do now. */
function possible(tags: readonly unknown[], table: Table): readonly unknown[] {
  const worth = tags.filter((tag) => !TALK.includes(String(tag)));
  if (table === null || table.choices === null) return worth;
  const now = new Set<unknown>(table.legal.map((command: AnyCommand) => command.do));
  return worth.filter((tag) => now.has(tag));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function beanOf(name: unknown): Bean {
  return Math.max(0, (KINDS as readonly unknown[]).indexOf(name)) as Bean;
}
