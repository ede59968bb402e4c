/** What another player is doing now, in a word or two beside his name. */
import { t } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { declinedBy } from "./offers/offers";
import { toldOverDays } from "../lib/overdays.svelte";
import { isMissed } from "./people";

/** What somebody is doing, in a word or two; `busy` if the game or the viewer waits for it. */
export interface Activity {
  readonly text: string;
  readonly busy: boolean;
  /** The same in fewer words, where there is no room for all of them. */
  readonly shorter?: readonly string[];
}

/** Return what can be told of a seat: whether it is waited for, has passed, or has said no to an offer of one's own. */
export function activityOf(table: TableModel, seat: number): Activity | null {
  const usual = usually(table, seat);
  const told = toldOverDays(table);
  return told === null ? usual : told.activity(table, seat, usual);
}

/** Return what is told of a seat where everybody sits at the table. */
function usually(table: TableModel, seat: number): Activity | null {
  const { view } = table;
  if (view === null) return null;
  if (view.phase.phase === "trade") {
    if (view.phase.passes.includes(seat)) return { text: t("table.has-passed"), busy: false };
    if (table.composing.includes(seat)) return { text: t("table.composes"), busy: true };
    if (table.enough.includes(seat)) return { text: t("table.has-passed"), busy: false };
    const missed = isMissed(table, seat);
    if (answers(table, seat)) return { text: t(missed ? "table.away" : "table.answers"), busy: true };
    if (seat === view.active_player) return { text: t(missed ? "table.away" : "table.trades"), busy: true };
    return null;
  }
  if (!view.waiting.includes(seat)) return null;
  if (isMissed(table, seat)) return { text: t("table.away"), busy: true };
  return { text: view.phase.phase === "plant-traded" ? t("table.plants") : t("table.thinks"), busy: true };
}

/** Whether an offer of one's own waits for this seat's answer. */
function answers(table: TableModel, seat: number): boolean {
  const phase = table.view?.phase;
  if (phase?.phase !== "trade" || table.seat === null) return false;
  return phase.offers.some(
    (offer) =>
      offer.maker === table.seat &&
      offer.to.includes(seat) &&
      !offer.claimers.includes(seat) &&
      !declinedBy(offer, table).includes(seat),
  );
}
