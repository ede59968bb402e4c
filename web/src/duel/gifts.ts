import type { AnyCommand, Bean, Copy, GiftView, NameGift, View } from "../generated/protocol";

/** One card with which a named kind could be delivered: face up, or at a place of the own hand. */
export interface Way {
  readonly from: "face-up" | "hand";
  /** Which card it is where it lies. */
  readonly place: number;
  /** The hand copy as the command names it; empty for the face-up one. */
  readonly hand: readonly Copy[];
}

/** What can be told of a kind while a gift is haggled over. */
export interface Known {
  readonly bean: Bean;
  /** Who has named it already, `null` if nobody has. */
  readonly namedBy: number | null;
  /** The cards one has of it; none makes naming it a bluff. */
  readonly ways: readonly Way[];
}

/** Return the haggling of a view, if it is on. */
export function haggling(view: View | null): GiftView | null {
  return view?.phase.phase === "gift" ? view.phase : null;
}

/** Return the cards of a kind that the viewer could give: those face up in his own turn, then those of his hand, front first. */
export function waysToGive(view: View, bean: Bean): readonly Way[] {
  const hand = view.own?.hand ?? [];
  const faceUp = view.active_player === view.viewer ? (haggling(view)?.face_up ?? []) : [];
  return [
    ...placesOf(faceUp, bean).slice(0, 1).map((place): Way => ({ from: "face-up", place, hand: [] })),
    ...placesOf(hand, bean).map((place): Way => ({ from: "hand", place, hand: [[place, bean]] })),
  ];
}

/** Return what is known of each kind of this game. */
export function kindsOf(view: View, kinds: readonly Bean[]): readonly Known[] {
  const named = haggling(view)?.named ?? [];
  return kinds.map((bean) => ({ bean, namedBy: named.find(([, other]) => other === bean)?.[0] ?? null, ways: waysToGive(view, bean) }));
}

/** Return the kinds of the cards in this game. */
export function kindsInPlay(view: View): readonly Bean[] {
  return view.rules.deck.flatMap((count, bean) => (count > 0 ? [bean as Bean] : []));
}

/** Return the command that names a kind, with the copy one would rather give. */
export function naming(view: View, bean: Bean, way: Way | undefined): NameGift {
  return { do: "name-gift", player: view.viewer ?? 0, bean, hand: way?.hand ?? [], hand_revision: view.own?.hand_revision ?? 0 };
}

/** Tell whether this kind may be named now. */
export function mayName(legal: readonly AnyCommand[], bean: Bean): boolean {
  return legal.some((command) => command.do === "name-gift" && command.bean === bean);
}

/** Return what was named last and waits for an answer. */
export function offered(phase: GiftView): { readonly giver: number; readonly bean: Bean } | null {
  const last = phase.open ? phase.named.at(-1) : undefined;
  return last === undefined ? null : { giver: last[0], bean: last[1] };
}

function placesOf(cards: readonly Bean[], bean: Bean): readonly number[] {
  return cards.flatMap((card, place) => (card === bean ? [place] : []));
}
