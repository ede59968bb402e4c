/** The patterns on the bonus cards of Das Duell: as text, and where their beans are drawn. */
import { t } from "../../lib/i18n.svelte";
import type { Bean, BonusCard, View } from "../../generated/protocol";

/** One bean of a pattern as it is drawn. */
export interface Blank {
  /** Which run it belongs to, from 0. */
  readonly run: number;
  /** How far from the left it stands, in beans; runs are `GAP` apart. */
  readonly x: number;
}

/** How far the runs of a pattern stand apart, in beans. */
const GAP = 1 / 3;

/** Return where the beans of a pattern stand, the oldest on the left as on a field. */
export function blanks(runs: readonly number[]): readonly Blank[] {
  const before = (run: number): number => runs.slice(0, run).reduce((sum, length) => sum + length, 0);
  return runs.flatMap((length, run) =>
    Array.from({ length }, (_, at) => ({ run, x: before(run) + at + run * GAP })),
  );
}

/** Return how wide a pattern is, in beans. */
export function breadth(runs: readonly number[]): number {
  const beans = runs.reduce((sum, length) => sum + length, 0);
  return beans + Math.max(0, runs.length - 1) * GAP;
}

/** Return a pattern as it is written, "2-1-1". */
export function written(card: BonusCard): string {
  return card.runs.join("-");
}

/** Return a pattern in words, "2 beans of one kind, then 1 of the next kind". */
export function inWords({ runs }: BonusCard): string {
  return runs
    .map((count, at) => t(at === 0 ? "duel.run" : "duel.run-next", { count }))
    .join(t("words.comma"));
}

/** Return what a bonus card brings beside its coin, in full or where there is little room: "20 pennies", "20 p". */
export function worth({ pennies }: BonusCard, brief = false): string {
  return t(brief ? "duel.penny-sign" : "duel.pennies", { count: pennies });
}

/** The house rule with which a part of a field is enough; else a pattern is the whole of it (DD-21). */
const PART = "match=contiguous_part";

/** Return in one sentence what fulfils a bonus card, and what it brings then; first what is written on it. */
export function meaning(card: BonusCard, view: View | null, brief = false): string {
  return t("duel.bonus-card", {
    pattern: written(card),
    worth: worth(card, brief),
    runs: inWords(card),
    part: view?.rules.house_rules.includes(PART) === true ? "yes" : "no",
  });
}

/** Return the runs of equal beans of a field, each with its length, the oldest first. */
export function runs(field: readonly Bean[]): [Bean, number][] {
  const found: [Bean, number][] = [];
  for (const bean of field) {
    const last = found.at(-1);
    if (last?.[0] === bean) last[1] += 1;
    else found.push([bean, 1]);
  }
  return found;
}

/**
 * Return the lengths of the runs of equal beans of a field, as a pattern writes them; nothing for a field of
 * one kind.
 */
export function runsText(field: readonly Bean[]): string {
  const found = runs(field);
  return found.length < 2 ? "" : found.map(([, length]) => length).join("-");
}

/** A bonus card with its number. */
export interface NumberedCard extends BonusCard {
  readonly id: number;
}

/** Return bonus cards by their numbers. */
export function bonusCards(view: View, ids: readonly number[]): readonly NumberedCard[] {
  return ids.flatMap((id) => {
    const card = view.rules.bonus_cards[id];
    return card === undefined ? [] : [{ ...card, id }];
  });
}

/** Return the pennies printed on bonus cards. */
export function pennies(cards: readonly BonusCard[]): number {
  return cards.reduce((sum, card) => sum + card.pennies, 0);
}
