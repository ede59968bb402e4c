import type { OfferView } from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import type { LayoutState, Selection } from "../state.svelte";
import { addressees, answer, composed, fits, send } from "./actions";
import { acceptance } from "./offers";

/** Return the offer of which the copies are chosen that leave, if one is accepted with others than usual. */
export function answering(selection: Selection): OfferView | null {
  return selection.purpose.is === "answer" ? selection.purpose.offer : null;
}

/** Tell whether nothing is chosen. */
export function isEmpty(selection: Selection): boolean {
  return !gives(selection) && selection.want.length === 0;
}

/** Tell whether a card is chosen that would be given. */
export function gives(selection: Selection): boolean {
  return selection.hand.length + selection.faceUp.length > 0;
}

/** Tell whether what is chosen can be sent. */
export function isReady(selection: Selection, table: TableModel): boolean {
  const offer = answering(selection);
  return offer === null ? !isEmpty(selection) : fits(selection, table, offer);
}

/** Return what is being done; `usual` is how a new offer is called. */
export function titleOf(selection: Selection, table: TableModel, usual: string): string {
  const { purpose } = selection;
  switch (purpose.is) {
    case "answer":
      return t("tray.which-title", { name: nameOf(table, purpose.offer.maker) });
    case "edit":
      return t("tray.edit-title");
    case "counter":
      return t("tray.counter-title", { name: nameOf(table, purpose.offer.maker) });
    case "compose":
      return usual;
  }
}

/** Return what stands on the button that sends it. */
export function labelOf(selection: Selection): string {
  if (selection.purpose.is === "answer") return t("tray.accept");
  if (selection.purpose.is === "edit") return t("tray.change");
  if (selection.want.length === 0 && gives(selection)) return t("tray.send-gift");
  return gives(selection) ? t("tray.send-offer") : t("tray.send-ask");
}

/** Add a seat to those the offer goes to, or leave it out; all of them, or none, is everybody it may concern. */
export function toggleTo(selection: Selection, table: TableModel, seat: number): void {
  const to = addressees(selection, table);
  const next = to.includes(seat) ? to.filter((other) => other !== seat) : [...to, seat];
  selection.to = next.length === table.space?.partners.length ? [] : next;
}

/**
 * Ask the server what the offer would mean once it has not been changed for `wait` ms; to be called while a part
 * is made.
 */
export function keepPreview(
  selection: Selection,
  layout: LayoutState,
  table: TableModel,
  live: LiveTable | null,
  wait: number,
): void {
  $effect(() => {
    const { to, hand, face_up, want } = composed(selection, table);
    if (live === null || isEmpty(selection) || answering(selection) !== null) {
      layout.preview = null;
      return;
    }
    const timer = setTimeout(
      () => void live.draft({ to, hand, face_up, want }).then((found) => (layout.preview = found)),
      wait,
    );
    return () => clearTimeout(timer);
  });
}

/** Send what was put together, or take the offer with the chosen copies; returns whether that was possible. */
export async function finish(selection: Selection, layout: LayoutState, live: LiveTable): Promise<boolean> {
  const offer = answering(selection);
  const take = offer === null ? undefined : acceptance(offer, live.legal);
  layout.sending = true;
  if (offer === null) await send(selection, live);
  else if (take !== undefined) await answer(selection, live, offer, take);
  layout.sending = false;
  return offer === null || take !== undefined;
}
