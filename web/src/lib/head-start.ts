/** Head starts: the coins and cards with which a seat begins beyond what the edition gives it. */
import type { HeadStart, Rules } from "../generated/protocol";
import { t } from "./i18n.svelte";
import type { TableModel } from "./model.svelte";
import { listed, nameOf } from "./names";

/** The largest head start; the server refuses more (`bohn.rules.resolve`). */
export const MOST = { coins: 10, cards: 3 } as const;

const RULE = /^head_start=(\d+):(\d+):(\d+)$/;

/** Return the head start that a house rule gives; nothing for any other rule. */
function startBy(rule: string): HeadStart | null {
  const found = RULE.exec(rule);
  return found === null ? null : { seat: Number(found[1]), coins: Number(found[2]), cards: Number(found[3]) };
}

/** Return the head start of a seat by the house rules of a table, before its game begins. */
export function headStartBy(houseRules: readonly string[], seat: number): HeadStart | null {
  return houseRules.map(startBy).find((start) => start?.seat === seat) ?? null;
}

/** Return the head start of a seat in a game. */
export function headStartIn(rules: Rules | undefined, seat: number): HeadStart | null {
  return rules?.head_starts?.find((start) => start.seat === seat) ?? null;
}

/** Return the house rules with another head start for a seat, with none where it is of nothing. */
export function withHeadStart(houseRules: readonly string[], start: HeadStart): string[] {
  const { seat, coins, cards } = start;
  const others = houseRules.filter((rule) => startBy(rule)?.seat !== seat);
  return coins + cards === 0 ? others : [...others, `head_start=${[seat, coins, cards].join(":")}`];
}

/** Return what a head start is: "2 coins and 1 card". */
export function headStartText({ coins, cards }: HeadStart): string {
  return listed([
    ...(coins > 0 ? [t("words.coins", { count: coins })] : []),
    ...(cards > 0 ? [t("words.cards", { count: cards })] : []),
  ]);
}

/** Return who began with a head start, and with which, in a sentence. */
export function headStartTold(table: TableModel, start: HeadStart): string {
  return t("table.head-start", {
    you: start.seat === table.seat ? "yes" : "no",
    name: nameOf(table, start.seat),
    given: headStartText(start),
  });
}
