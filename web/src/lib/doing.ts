/** What somebody is to do in a phase, in few words: at the table, and in the list of one's own tables. */
import type { View } from "../generated/protocol";
import { t } from "./i18n.svelte";

type Phase = View["phase"]["phase"];

/** Say who has the word: "Anna trades", "Your turn: plant", "Anna and Bert plant". */
export function doingText(phase: Phase, you: boolean, players: string, count: number): string {
  return t(`table.now.${phase === "plant-gift" ? "plant-traded" : phase}`, {
    you: you ? "yes" : "no",
    player: players,
    players,
    count,
  });
}

/**
 * Return what somebody is asked in another's turn, `null` where the usual words say it; `open`: a gift of Das Duell is
 * to be answered.
 */
export function askedText(phase: Phase, open: boolean): string | null {
  switch (phase) {
    case "plant-traded":
    case "plant-gift":
      return t("table.asked.plant-traded");
    case "gift":
      return t(open ? "table.asked.answer" : "table.asked.name");
    case "bonus":
      return t("table.asked.bonus");
    default:
      return null;
  }
}
