import type { AnyCommand, Bean, Copy, MakeOffer, OfferView } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import { faceUpOf, type Purpose, type Selection } from "../lib/selection.svelte";
import { frontMost, given, wouldTake } from "./offers";

/** Open the tray for an offer: to change it, to answer it by another one, or to choose the copies that leave. */
export function begin(selection: Selection, table: TableModel, purpose: Purpose): void {
  selection.clear();
  selection.purpose = purpose;
  selection.open = true;
  if (purpose.is === "compose") return;
  const { offer } = purpose;
  if (purpose.is === "edit") {
    selection.hand = (table.view?.own?.offers.find((own) => own.id === offer.id)?.hand ?? []).map(([place]) => place);
    selection.faceUp = offer.face_up.map(([place]) => place);
    selection.want = offer.want;
    selection.to = offer.to;
    selection.letMeChoose = offer.open;
    return;
  }
  const [hand, faceUp] = fromOwn(offer.want, table);
  selection.hand = hand.map(([place]) => place);
  selection.faceUp = faceUp.map(([place]) => place);
  if (purpose.is === "counter") {
    selection.want = given(offer);
    selection.to = [offer.maker];
  }
}

/** Return own cards of these kinds: face-up ones first, which one has to place anyhow, then the front-most of the hand. */
function fromOwn(beans: readonly Bean[], table: TableModel): [readonly Copy[], readonly Copy[]] {
  const faceUp = table.mine ? frontMost(beans, faceUpOf(table)) : [];
  const rest = [...beans];
  for (const [, bean] of faceUp) rest.splice(rest.indexOf(bean), 1);
  return [frontMost(rest, table.view?.own?.hand ?? []), faceUp];
}

/** Take an offer with the copies the server proposes, or with those that were chosen for it. */
export async function answer(live: LiveTable, selection: Selection, offer: OfferView, take: AnyCommand): Promise<void> {
  const chosen = selection.purpose.is === "answer" && selection.purpose.offer.id === offer.id;
  if (!chosen || (take.do !== "accept-offer" && take.do !== "claim")) {
    await live.act(take);
    return;
  }
  const copies = { hand: selection.handCopies, hand_revision: live.view?.own?.hand_revision ?? 0 };
  const aimed = take.do === "claim" ? { ...take, ...copies } : { ...take, ...copies, face_up: selection.faceCopies };
  if (await live.act(aimed)) selection.clear();
}

/** Tell whether the chosen cards are those an offer wants. */
export function fits(offer: OfferView, selection: Selection): boolean {
  const chosen = [...selection.handCopies, ...selection.faceCopies].map(([, bean]) => bean).sort((a, b) => a - b);
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
    do: "make-offer", player: table.seat ?? 0, to: addressees(selection, table), hand: selection.handCopies, face_up: selection.faceCopies,
    want: [...selection.want].sort((a, b) => a - b), open: isOpen(selection, table), hand_revision: table.view?.own?.hand_revision ?? 0,
  };
}

/** Return what is not ready to be sent, as a command, to ask why it is refused. */
export function unready(selection: Selection, table: TableModel): AnyCommand | null {
  const { purpose } = selection;
  if (purpose.is !== "answer") return composed(selection, table);
  const take = wouldTake(purpose.offer, table);
  if (take?.do === "claim") return { ...take, hand: selection.handCopies };
  return take?.do === "accept-offer" ? { ...take, hand: selection.handCopies, face_up: selection.faceCopies } : null;
}

/** Return one more offer, the least there is, to ask why it is refused. */
export function oneMore(table: TableModel): MakeOffer {
  const { view, space } = table;
  const to = space?.partners ?? [];
  return { do: "make-offer", player: table.seat ?? 0, to, hand: [], face_up: [], want: space?.kinds.slice(0, 1) ?? [], open: false, hand_revision: view?.own?.hand_revision ?? 0 };
}

/** Send what was put together; if the hand has changed meanwhile, aim once more. The tray closes when it was done. */
export async function send(live: LiveTable, selection: Selection): Promise<boolean> {
  const { purpose } = selection;
  const command = (): AnyCommand => {
    const made = composed(selection, live);
    return purpose.is === "edit" ? { ...made, do: "edit-offer", offer: purpose.offer.id, revision: purpose.offer.revision } : made;
  };
  let done = await live.act(command());
  if (!done && live.refusal?.reason === "hand-changed") done = await live.act(command());
  if (done) selection.clear();
  return done;
}
