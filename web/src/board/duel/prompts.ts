/** The sentences in the bar for the phases that only Das Duell has: gifts and bonus cards. */
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { listed, nameOf } from "../../lib/names";
import { beanWord } from "../../lib/sentences";
import { giftPhase, openGift } from "./gifts";

/** Say what is waited for while a gift is haggled over, from where the viewer sits. */
export function giftPrompt(table: TableModel): string {
  const phase = giftPhase(table.view);
  if (phase === null) return "";
  const gift = openGift(phase);
  const name = nameOf(table, phase.word);
  if (phase.word === table.seat) {
    if (gift !== null)
      return t("duel.would-give", { name: nameOf(table, gift.giver), bean: beanWord(gift.bean) });
    return phase.named.length > 0 ? t("duel.name-again") : t("duel.name-first");
  }
  if (gift === null) return t("duel.waits-name", { name });
  return gift.giver === table.seat
    ? t("duel.waits-answer", { name, bean: beanWord(gift.bean) })
    : t("duel.waits-other", { name, giver: nameOf(table, gift.giver), bean: beanWord(gift.bean) });
}

/** Say what is waited for while bonus cards are discarded and drawn. */
export function bonusPrompt(table: TableModel): string {
  const { view } = table;
  if (view?.phase.phase !== "bonus") return "";
  if (table.allowed("claim-bonus").length > 0) return t("duel.claim-first");
  if (table.allowed("discard-bonus").length > 0) return t("duel.discard-one");
  if (table.allowed("refill-bonus").length > 0) return t("duel.draw-again", { count: view.rules.bonus_hand });
  const others = view.waiting.filter((seat) => seat !== table.seat);
  return others.length === 0
    ? ""
    : t("duel.others-bonus", {
        names: listed(others.map((seat) => nameOf(table, seat))),
        count: others.length,
      });
}
