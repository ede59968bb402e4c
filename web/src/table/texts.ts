/** Short texts about kinds, cards and fields that several parts of the page use. */
import type { Bean, FieldWorth, Rules, View } from "../generated/protocol";
import { BEANS, kind } from "../lib/beans";
import { t, type Inflected } from "../lib/i18n.svelte";
import { listed } from "../lib/names";
import { either } from "../lib/reasons";
import { beansWord, beanText, beanWord } from "../lib/sentences";

/** Kinds as a list, "red beans, soy beans and wax beans", in all its forms. */
export function kindsWord(beans: readonly Bean[]): Inflected {
  return (form) => listed(beans.map((bean) => beanText(bean, form)));
}

/** Return the letters that stand for a kind where there is no room for its name. */
export function markOf(bean: Bean): string {
  return t(`table.mark.${kind(bean)}`);
}

/** Return how many cards of a kind are in this game, as its cards print it. */
export function printedCount(rules: Rules, bean: Bean): number {
  return rules.deck[bean] ?? 0;
}

/** Return the kinds of the cards in this game. */
export function kindsInPlay(view: View | null): readonly Bean[] {
  return view === null ? [] : BEANS.filter((bean) => printedCount(view.rules, bean) > 0);
}

/** Return what is printed on the cards of a kind: how many there are, and how many of them earn how much. */
export function printed(rules: Rules, bean: Bean): string {
  // eslint-disable-next-line no-restricted-syntax -- the card prints it; nothing is computed from it
  const steps = rules.beanometers[bean] ?? [];
  const rates = listed(
    steps.map(([beans, coins]) => t("table.rate", { beans, coins: t("words.coins", { count: coins }) })),
  );
  return t("table.printed", { bean: beanWord(bean), count: printedCount(rules, bean), rates });
}

/** Return what a field is worth in words: "2 coins now; 1 more: 3 coins". */
export function worthText(worth: FieldWorth): string {
  const now =
    worth.coins === 0
      ? t("table.worth-nothing")
      : t("table.worth-now", { coins: t("words.coins", { count: worth.coins }) });
  if (worth.more === 0) return t("table.worth-top", { now });
  const next = { now, more: worth.more, coins: t("words.coins", { count: worth.next_coins }) };
  // where kinds follow one another, that of the newest bean is what it counts for
  return mixes(worth)
    ? t("table.worth-next-of", { ...next, bean: beanText(worth.bean) })
    : t("table.worth-next", next);
}

/** Tell whether another kind may follow on a field, so that its worth is that of the newest bean. */
export function mixes({ fits = [] }: FieldWorth): boolean {
  return fits.length > 0;
}

/** Return which kinds may come next on a field, where that may be another than its own; else nothing. */
export function nextText({ fits = [] }: FieldWorth): string {
  return fits.length === 0
    ? ""
    : t("duel.field-takes", { kinds: either(fits.map((bean) => beanText(bean, "pl"))) });
}

/** Return a field in words, for people who cannot see it. */
export function fieldText(field: readonly Bean[], at: number, worth: FieldWorth | null | undefined): string {
  if (field.length === 0) return t("table.field-empty", { field: at + 1 });
  const what = t("table.field-with", { field: at + 1, beans: beansWord(field) });
  return worth == null ? what : [`${what} ${worthText(worth)}.`, nextText(worth)].join(" ").trimEnd();
}

/** Which pass of the deck is played, of how many, and whether it is the last one. */
export type Pass = {
  readonly pass: number;
  readonly of: number;
  readonly last: "yes" | "no";
};

/** Return which pass of the deck is played. */
export function passOf(view: View): Pass {
  const of = view.rules.exhaustions;
  const pass = Math.min(view.exhaustions + 1, of);
  return { pass, of, last: pass === of ? "yes" : "no" };
}
