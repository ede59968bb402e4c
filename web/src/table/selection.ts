/** Choosing cards, kinds and partners for the offer that is being composed. */
import type { Bean, Copy } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";
import type { Selection } from "./state.svelte";

/** Where cards lie that one may give. */
type Pile = "hand" | "faceUp";

/** Choose nothing, and close the tray. */
export function clear(selection: Selection): void {
  selection.open = false;
  selection.purpose = { is: "compose" };
  selection.hand = [];
  selection.faceUp = [];
  selection.want = [];
  selection.to = [];
  selection.letMeChoose = null;
}

/** Raise or lower a hand card. */
export function toggleHand(selection: Selection, place: number): void {
  selection.hand = toggled(selection.hand, place);
  selection.open = selection.open || selection.hand.length > 0;
}

/** Raise or lower a face-up card. */
export function toggleFaceUp(selection: Selection, place: number): void {
  selection.faceUp = toggled(selection.faceUp, place);
  selection.open = selection.open || selection.faceUp.length > 0;
}

/**
 * Raise or lower a card that was tapped, in the hand or face up. Where an offer is accepted, which asks for so many of
 * a kind, another one of the kind takes the place of the one that was chosen first.
 */
export function tapCard(selection: Selection, table: TableModel, pile: Pile, place: number): void {
  if (selection.purpose.is === "accept" && !selection[pile].includes(place))
    makeRoom(selection, selection.purpose.offer.want, pile, place, {
      hand: table.view?.own?.hand ?? [],
      faceUp: faceUpOf(table),
    });
  if (pile === "hand") toggleHand(selection, place);
  else toggleFaceUp(selection, place);
}

function makeRoom(
  selection: Selection,
  wanted: readonly Bean[],
  pile: Pile,
  place: number,
  cards: Readonly<Record<Pile, readonly Bean[]>>,
): void {
  const bean = cards[pile][place];
  const same = (from: Pile): readonly number[] => selection[from].filter((at) => cards[from][at] === bean);
  const needed = wanted.filter((other) => other === bean).length;
  if (needed === 0 || same("hand").length + same("faceUp").length < needed) return;
  const from = same(pile).length > 0 ? pile : pile === "hand" ? "faceUp" : "hand";
  const [first] = same(from);
  selection[from] = selection[from].filter((at) => at !== first);
}

/** Want one more of a kind, or (`less`) one fewer. */
export function want(selection: Selection, bean: Bean, less = false): void {
  const at = selection.want.lastIndexOf(bean);
  if (!less) selection.want = [...selection.want, bean];
  else if (at >= 0) selection.want = selection.want.filter((_, index) => index !== at);
  selection.open = true;
}

/** Return the chosen hand cards as commands name them. */
export function handCopies(selection: Selection, table: TableModel): readonly Copy[] {
  return copies(selection.hand, table.view?.own?.hand ?? []);
}

/** Return the chosen face-up cards as commands name them. */
export function faceCopies(selection: Selection, table: TableModel): readonly Copy[] {
  return copies(selection.faceUp, faceUpOf(table));
}

/** Return the face-up cards of the phase, if it has any. */
export function faceUpOf(table: TableModel): readonly Bean[] {
  const phase = table.view?.phase;
  return phase !== undefined && "face_up" in phase ? phase.face_up : [];
}

function toggled(places: readonly number[], place: number): readonly number[] {
  return places.includes(place) ? places.filter((other) => other !== place) : [...places, place];
}

function copies(places: readonly number[], cards: readonly Bean[]): readonly Copy[] {
  return places.flatMap((place): Copy[] => {
    const bean = cards[place];
    return bean === undefined ? [] : [[place, bean]];
  });
}

/**
 * Put the chosen places where the same cards lie after one card has left the hand; the card that left is dropped.
 * Cards that came in go to the back, so no other place changes.
 */
export function aimed(places: readonly number[], left: number): readonly number[] {
  return places.filter((place) => place !== left).map((place) => (place > left ? place - 1 : place));
}
