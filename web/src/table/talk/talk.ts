/** Promises between seats, and opening the panel in which wishes and promises are changed. */
import type { Due, PromiseNote, View } from "../../generated/protocol";
import { covers } from "../../lib/beans";
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import { beansText, beansWord, seatWord } from "../../lib/sentences";
import { clear } from "../selection";
import type { LayoutState, PageState } from "../state.svelte";

/** Return the promises by a seat, and those to it. */
export function promisesOf(view: View | null, seat: number): readonly PromiseNote[] {
  return (view?.talk.promises ?? []).filter((word) => word.player === seat || word.to === seat);
}

/** Return those of them whose time is not over. */
export function promisesDue(table: TableModel, seat: number): readonly PromiseNote[] {
  return promisesOf(table.view, seat).filter((word) => dueOf(word, table) !== "over");
}

/**
 * Return when a promise is due as seen today: what was for the next turn is for this one once that has come, and over
 * after it. One that was made before the log begins stays as it was put while the log has too few turns to tell.
 */
export function dueOf({ id, due }: PromiseNote, table: TableModel): Due | "over" {
  if (due === "some-time") return due;
  const made = madeAt(id, table);
  const turns = table.log.slice(Math.max(0, made)).filter(({ event }) => event.event === "turn-began").length;
  if (turns >= (due === "this-turn" ? 1 : 2)) return "over";
  return made >= 0 && turns === 1 ? "this-turn" : due;
}

/** Tell whether the log begins too late to say when some promise is due. */
export function areUndated(table: TableModel): boolean {
  return (table.view?.talk.promises ?? []).some(
    (word) => word.due !== "some-time" && madeAt(word.id, table) < 0 && dueOf(word, table) !== "over",
  );
}

/** Return where in the log a promise was made, -1 if that was before. */
const madeAt = (id: number, { log }: TableModel): number =>
  log.findIndex(({ event }) => event.event === "promise-made" && event.promise.id === id);

/**
 * Return the promises between the viewer and others whose time has come: in the trading of one of the two, until what
 * it names has changed hands, or their time is over.
 */
export function promisesToKeep(table: TableModel): readonly PromiseNote[] {
  const { view, seat } = table;
  if (view?.phase.phase !== "trade" || seat === null) return [];
  return promisesOf(view, seat).filter((word) => {
    const due = dueOf(word, table);
    const theirs = view.active_player === word.player || view.active_player === word.to;
    return theirs && (due === "this-turn" || due === "some-time") && !isKept(word, table);
  });
}

/** Tell whether such a promise is by a seat, or to it: there it stands out. */
export function hasPromiseToKeep(table: TableModel, seat: number): boolean {
  return promisesToKeep(table).some(({ player, to }) => player === seat || to === seat);
}

/**
 * Tell whether since then who promised has given what he said, for whatever it was, as far as the page has the log; of
 * a hope, whether it came true.
 */
function isKept({ id, player, to, give, get }: PromiseNote, table: TableModel): boolean {
  return table.log.slice(madeAt(id, table) + 1).some(({ event }) => {
    if (event.event !== "traded-shown") return false;
    const of = { [event.maker]: [...event.maker_hand, ...event.maker_face_up.map(([, bean]) => bean)] };
    of[event.partner] = [...event.partner_hand, ...event.partner_face_up.map(([, bean]) => bean)];
    const [from, back] = [of[player], of[to]];
    if (from === undefined || back === undefined) return false;
    return give.length > 0 ? covers(from, give) : covers(back, get);
  });
}

/** Return a promise in words: those of the page, or (`spoken`) of whoever makes it. */
export function promiseText(word: PromiseNote, table: TableModel, spoken = false): string {
  return t("table.promise-line", {
    you: spoken ? "me" : word.player === table.seat ? "yes" : "no",
    player: nameOf(table, word.player),
    to: seatWord(table, word.to),
    gives: beansWord(word.give),
    wants: beansWord(word.get),
    kind: word.get.length === 0 ? "gift" : word.give.length === 0 ? "hope" : "trade",
    due: t(`table.due-${dueOf(word, table)}`),
  });
}

/** Return who gives, or hopes for something, where there is room for one short line. */
export function briefPromiser({ player, give }: PromiseNote, table: TableModel): string {
  if (player === table.seat) return t(give.length > 0 ? "tray.you-give" : "tray.you-get");
  return t(give.length > 0 ? "tray.they-give" : "tray.looks-for", { name: nameOf(table, player) });
}

/** Return what he gives, and what it is hoped to be for, in that line. */
export function brieflyPromised({ give, get }: PromiseNote): string {
  if (give.length === 0) return beansText(get);
  return [give, get]
    .flatMap((beans, side) => (beans.length === 0 ? [] : `${side === 1 ? "⇄ " : ""}${beansText(beans)}`))
    .join(" ");
}

/** Tell whether this game has a trading: only there wishes and promises mean anything. */
export function hasTrading(view: View | null): boolean {
  return view?.rules.game === "main" || (view?.steps.some((step) => step.phase === "trade") ?? false);
}

/** Begin to change wishes and promises, or end it; what is put together stands at the same place, so that ends. */
export function toggleTalk(page: PageState, layout: LayoutState): void {
  clear(page.selection);
  layout.talk = layout.talk === null ? { to: null } : null;
}

/** Begin a promise to a seat. */
export function promiseTo(page: PageState, layout: LayoutState, seat: number): void {
  clear(page.selection);
  layout.talk = { to: seat };
}
