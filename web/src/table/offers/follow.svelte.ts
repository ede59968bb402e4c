/** Keeps an offer that is being composed valid while the hand and the market change. */
import type { TableModel } from "../../lib/model.svelte";
import { aimed, clear } from "../selection";
import type { Selection } from "../state.svelte";
import { isEmpty } from "./composing.svelte";
import { emptied, trading } from "./offers";

/** Ms in which it is told that an offer was not sent: long enough to read it twice. */
export const UNSENT_MS = 8_000;

/**
 * Keep what is chosen for an offer aimed at the same cards while others leave, and end what has no object any more.
 * Call it during component initialisation (it registers an `$effect`).
 */
export function followCards(selection: Selection, table: TableModel): void {
  $effect(() =>
    table.watch({
      after(batch, was) {
        for (const place of emptied(batch, table.seat)) selection.hand = aimed(selection.hand, place);
        for (const event of batch.events ?? []) {
          if (event.event !== "traded-shown") continue;
          const left = [...event.maker_face_up, ...event.partner_face_up]
            .map(([place]) => place)
            .sort((a, b) => b - a);
          for (const place of left) selection.faceUp = aimed(selection.faceUp, place);
        }
        settle(selection, table, was?.active_player);
        if (trading(was) === null && trading(table.view) !== null) selection.unsent = null; // another market
      },
      anew(same, was) {
        const goesOn = trading(table.view) !== null && table.view?.turn === was?.turn;
        if (!same && goesOn)
          clear(selection); // the hand is another, and nobody ended anything
        else if (!same) lose(selection, was?.active_player);
        settle(selection, table, was?.active_player);
      },
    }),
  );
  $effect(() => {
    if (selection.open) selection.unsent = null;
  });
  $effect(() => {
    if (selection.unsent === null) return;
    const timer = setTimeout(() => (selection.unsent = null), UNSENT_MS);
    return () => clearTimeout(timer);
  });
}

/**
 * An offer that is gone is neither changed nor accepted any more: what was chosen stays as a new one, until
 * the market closes; then it is noted that it was not sent. `ended` is the seat whose market it was.
 */
export function settle(selection: Selection, table: TableModel, ended = table.view?.active_player): void {
  const trade = trading(table.view);
  const { purpose } = selection;
  if (trade === null) {
    if (selection.open || !isEmpty(selection)) lose(selection, ended);
    return;
  }
  if (!("offer" in purpose) || purpose.is === "counter") return;
  const now = trade.offers.find((offer) => offer.id === purpose.offer.id);
  if (now === undefined) {
    if (purpose.is === "accept") clear(selection);
    else selection.purpose = { is: "compose" };
  } else if (now.revision !== purpose.offer.revision) selection.purpose = { ...purpose, offer: now };
}

/** Choose nothing any more; if an offer was put together, note who ended the trading before it was sent. */
function lose(selection: Selection, ended: number | undefined): void {
  const lost = !isEmpty(selection) && selection.purpose.is !== "accept";
  clear(selection);
  if (lost) selection.unsent = ended ?? null;
}
