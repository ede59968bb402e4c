/** Choosing cards, kinds and partners for the offer that is being composed. */
import type { Bean, Copy } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";
import type { Selection } from "./state.svelte";

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
