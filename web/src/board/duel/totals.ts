/** What coins and claimed bonus cards make together in Das Duell, as the server counts it. */
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { listed } from "../../lib/names";

function total(table: TableModel, seat: number): readonly [coins: number, pennies: number] {
  return table.view?.totals[seat] ?? [table.player(seat)?.coins ?? 0, 0];
}

/**
 * Return what a player has: coins, and in a game with bonus cards the pennies beside them, in a short form where
 * there is no room for the word.
 */
export function totalText(table: TableModel, seat: number, short = false): string {
  const [coins, pennies] = total(table, seat);
  if (pennies === 0) return String(coins);
  return t("duel.total", {
    coins,
    pennies: t(short ? "duel.penny-sign" : "duel.pennies", { count: pennies }),
  });
}

/** Return the same in words, for people who cannot see the coin beside it: "3 coins and 20 pennies". */
export function totalWords(table: TableModel, seat: number): string {
  const [coins, pennies] = total(table, seat);
  const words = t("words.coins", { count: coins });
  return pennies === 0 ? words : listed([words, t("duel.pennies", { count: pennies })]);
}

/** Return what that number is made of; nothing in a game without bonus cards. */
export function totalHint(table: TableModel, seat: number): string {
  const total = table.view?.totals[seat];
  if (total === undefined) return "";
  const [coins, pennies] = total;
  return t("duel.total-hint", {
    coins: t("words.coins", { count: coins }),
    pennies: t("duel.pennies", { count: pennies }),
  });
}
