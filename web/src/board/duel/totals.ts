/** What coins and claimed bonus cards make together in Das Duell, as the server counts it. */
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";

/** Return what a player has: coins, and in a game with bonus cards the pennies beside them. */
export function totalText(table: TableModel, seat: number): string {
  const [coins, pennies] = table.view?.totals[seat] ?? [table.player(seat)?.coins ?? 0, 0];
  return pennies === 0 ? String(coins) : t("duel.total", { coins, pennies });
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
