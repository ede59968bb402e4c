/** Makes and sends the commands about offers from what the viewer has chosen. */
import type { AnyCommand, MakeOffer, OfferView } from "../../generated/protocol";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { clear, faceCopies, handCopies } from "../selection";
import type { Purpose, Selection } from "../state.svelte";
import { given, attemptedAcceptance } from "./offers";

/** Open the tray for an offer: to change it, to counter it, or to choose the cards with which it is accepted. */
export function begin(selection: Selection, table: TableModel, purpose: Purpose): void {
  clear(selection);
  selection.purpose = purpose;
  selection.open = true;
  if (purpose.is === "compose") return;
  const { offer } = purpose;
  if (purpose.is === "edit") {
    selection.hand = (table.view?.own?.offers.find((own) => own.id === offer.id)?.hand ?? []).map(
      ([place]) => place,
    );
    selection.faceUp = offer.face_up.map(([place]) => place);
    selection.want = offer.want;
    selection.to = offer.to;
    selection.letMeChoose = offer.open;
    return;
  }
  const own = table.proposedCopies(offer.id);
  selection.hand = (own?.hand ?? []).map(([place]) => place);
  selection.faceUp = (own?.face_up ?? []).map(([place]) => place);
  if (purpose.is === "counter") {
    selection.want = given(offer);
    selection.to = [offer.maker];
  }
}

/** Accept or claim an offer with the copies the server proposes, or with those that were chosen for it. */
export async function accept(
  selection: Selection,
  live: LiveTable,
  offer: OfferView,
  command: AnyCommand,
): Promise<void> {
  live.taken = [...live.taken, offer.id];
  const chosen = selection.purpose.is === "accept" && selection.purpose.offer.id === offer.id;
  if (!chosen || (command.do !== "accept-offer" && command.do !== "claim")) {
    await live.act(command);
    return;
  }
  const copies = { hand: handCopies(selection, live), hand_revision: live.view?.own?.hand_revision ?? 0 };
  const withCopies =
    command.do === "claim"
      ? { ...command, ...copies }
      : { ...command, ...copies, face_up: faceCopies(selection, live) };
  if (await live.act(withCopies)) clear(selection);
}

/** Tell whether the chosen cards are those an offer wants. */
export function fits(selection: Selection, table: TableModel, offer: OfferView): boolean {
  const chosen = [...handCopies(selection, table), ...faceCopies(selection, table)]
    .map(([, bean]) => bean)
    .sort((a, b) => a - b);
  const wanted = [...offer.want].sort((a, b) => a - b);
  return chosen.length === wanted.length && chosen.every((bean, index) => bean === wanted[index]);
}

/** Return the seats an offer goes to: those chosen, else everybody it may concern. */
export function addressees(selection: Selection, table: TableModel): readonly number[] {
  const partners = table.space?.partners ?? [];
  const chosen = selection.to.filter((seat) => partners.includes(seat));
  return chosen.length > 0 ? chosen : partners;
}

/** Tell whether the offer is to be an open one, of whose takers one picks. */
export function isOpen(selection: Selection, table: TableModel): boolean {
  const may = table.space?.may_be_open === true && addressees(selection, table).length > 1;
  return may && (selection.letMeChoose ?? true);
}

/** Return the offer that is put together, as a command. */
export function composed(selection: Selection, table: TableModel): MakeOffer {
  return {
    do: "make-offer",
    player: table.seat ?? 0,
    to: addressees(selection, table),
    hand: handCopies(selection, table),
    face_up: faceCopies(selection, table),
    want: [...selection.want].sort((a, b) => a - b),
    open: isOpen(selection, table),
    hand_revision: table.view?.own?.hand_revision ?? 0,
  };
}

/** Return what is not ready to be sent, as a command, to ask the server why it would be refused. */
export function unready(selection: Selection, table: TableModel): AnyCommand | null {
  const { purpose } = selection;
  if (purpose.is !== "accept") return composed(selection, table);
  const attempt = attemptedAcceptance(purpose.offer, table);
  if (attempt?.do === "claim") return { ...attempt, hand: handCopies(selection, table) };
  return attempt?.do === "accept-offer"
    ? { ...attempt, hand: handCopies(selection, table), face_up: faceCopies(selection, table) }
    : null;
}

/** Return a smallest offer, to ask the server why one more would be refused. */
export function oneMore(table: TableModel): MakeOffer {
  const { view, space } = table;
  const to = space?.partners ?? [];
  return {
    do: "make-offer",
    player: table.seat ?? 0,
    to,
    hand: [],
    face_up: [],
    want: space?.kinds.slice(0, 1) ?? [],
    open: false,
    hand_revision: view?.own?.hand_revision ?? 0,
  };
}

/** Send what was put together; if the hand has changed meanwhile, aim once more. The tray closes when it was done. */
export async function send(selection: Selection, live: LiveTable): Promise<boolean> {
  const { purpose } = selection;
  const command = (): AnyCommand => {
    const made = composed(selection, live);
    return purpose.is === "edit"
      ? { ...made, do: "edit-offer", offer: purpose.offer.id, revision: purpose.offer.revision }
      : made;
  };
  let done = await live.act(command());
  if (!done && live.refusal?.reason === "hand-changed") done = await live.act(command());
  if (done) clear(selection);
  return done;
}
