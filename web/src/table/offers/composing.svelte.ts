/**
 * What the tray and the form of the text view share: is the offer ready, what is it called, what would it mean, and
 * send it. The commands themselves are made in `actions.ts`.
 */
import type { OfferView } from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import { faceUpOf } from "../selection";
import type { LayoutState, Selection } from "../state.svelte";
import { accept, addressees, composed, fits, send } from "./actions";
import { acceptance, newestOwn, noteCounter } from "./offers";

/** Return the offer that is being accepted with cards chosen by hand, or `null` while a new one is composed. */
export function offerBeingAccepted(selection: Selection): OfferView | null {
  return selection.purpose.is === "accept" ? selection.purpose.offer : null;
}

/** Tell whether nothing is chosen. */
export function isEmpty(selection: Selection): boolean {
  return !gives(selection) && selection.want.length === 0;
}

/** Tell whether a card is chosen that would be given. */
export function gives(selection: Selection): boolean {
  return selection.hand.length + selection.faceUp.length > 0;
}

/** Tell whether it would be a gift: the key sends one only where its button has the focus, with a second press. */
export function isGift(selection: Selection): boolean {
  return selection.purpose.is !== "accept" && selection.want.length === 0 && gives(selection);
}

/** Tell whether what is chosen can be sent. */
export function isReady(selection: Selection, table: TableModel): boolean {
  const offer = offerBeingAccepted(selection);
  return offer === null ? !isEmpty(selection) : fits(selection, table, offer);
}

/**
 * Return those whom it goes to, if none of them has as many cards as are asked for: nobody could take it, though it may
 * be sent. Else nobody.
 */
export function withTooFew(selection: Selection, table: TableModel): readonly number[] {
  const offer = offerBeingAccepted(selection);
  if (offer !== null || selection.want.length === 0) return [];
  const to = addressees(selection, table);
  const cards = (seat: number): number =>
    (table.player(seat)?.hand_size ?? 0) + (seat === table.view?.active_player ? faceUpOf(table).length : 0);
  return to.some((seat) => cards(seat) >= selection.want.length) ? [] : to;
}

/** Return the heading of what is being composed; `usual` is that of a new offer. */
export function titleOf(selection: Selection, table: TableModel, usual: string): string {
  const { purpose } = selection;
  switch (purpose.is) {
    case "accept":
      return t("tray.which-title", { name: nameOf(table, purpose.offer.maker) });
    case "edit":
      return t("tray.edit-title");
    case "counter":
      return t("tray.counter-title", { name: nameOf(table, purpose.offer.maker) });
    case "compose":
      return usual;
  }
}

/** Return the label of the button that sends it. */
export function labelOf(selection: Selection): string {
  const offer = offerBeingAccepted(selection);
  if (offer !== null) return t(offer.open ? "tray.claim" : "tray.accept");
  if (isGift(selection)) return t("tray.send-gift");
  if (selection.purpose.is === "edit") return t("tray.change");
  return gives(selection) ? t("tray.send-offer") : t("tray.send-ask");
}

/**
 * Add a seat to those the offer goes to, or leave it out. All partners, or none, are stored as `[]`: everybody it may
 * concern; so to leave out the last seat is to choose everybody.
 */
export function toggleTo(selection: Selection, table: TableModel, seat: number): void {
  const to = addressees(selection, table);
  const next = to.includes(seat) ? to.filter((other) => other !== seat) : [...to, seat];
  selection.to = next.length === table.space?.partners.length ? [] : next;
}

/** Return who is chosen one by one: nobody, where "all" is a choice of its own and is the one that holds. */
export function chosenTo(selection: Selection, table: TableModel): readonly number[] {
  const [to, partners] = [addressees(selection, table), table.space?.partners ?? []];
  return partners.length > 1 && to.length === partners.length ? [] : to;
}

/** Choose one who is not chosen, or no longer one of several who are; after "all" it is that one alone. */
export function chooseTo(selection: Selection, table: TableModel, seat: number): void {
  const chosen = chosenTo(selection, table);
  if (chosen.length === 1 && chosen[0] === seat) return; // everybody is a choice of its own, not made by accident
  if (chosen.length === 0) selection.to = [seat];
  else toggleTo(selection, table, seat);
}

/**
 * Ask the server what the offer would mean, once it has not been changed for `wait` ms. Call it during component
 * initialisation (it registers an `$effect`).
 */
export function refreshPreview(
  selection: Selection,
  layout: LayoutState,
  table: TableModel,
  live: LiveTable | null,
  wait: number,
): void {
  $effect(() => {
    const { to, hand, face_up, want } = composed(selection, table);
    if (live === null || isEmpty(selection) || offerBeingAccepted(selection) !== null) {
      layout.preview = null;
      return;
    }
    let stale = false; // a reply on its way when the offer changes is about another offer
    const ask = async (): Promise<void> => {
      const found = await live.requestPreview({ to, hand, face_up, want });
      if (!stale) layout.preview = found;
    };
    const timer = setTimeout(() => void ask(), wait);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  });
}

/**
 * Send what was put together, or accept the offer with the chosen copies. Returns false only if the offer can no longer
 * be accepted; a refusal by the server is in `live.refusal`.
 */
export async function finish(selection: Selection, layout: LayoutState, live: LiveTable): Promise<boolean> {
  const offer = offerBeingAccepted(selection);
  const command = offer === null ? undefined : acceptance(offer, live.legal);
  const { purpose } = selection;
  layout.sending = true;
  if (offer === null) {
    const after = newestOwn(live);
    await send(selection, live);
    if (purpose.is === "counter" && live.refusal === null) noteCounter(purpose.offer, live, after);
  } else if (command !== undefined) await accept(selection, live, offer, command);
  layout.sending = false;
  return offer === null || command !== undefined;
}
