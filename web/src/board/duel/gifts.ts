/** Das Duell (DD-6 to DD-11): what the viewer knows and may do while a kind of bean is named as a gift. */
import type { AnyCommand, Bean, GiftView, NameGift, View, Way } from "../../generated/protocol";
import type { TableModel } from "../../lib/model.svelte";

/** What the viewer knows of one kind of bean in the gift phase. */
export interface GiftKind {
  readonly bean: Bean;
  /** Who has named it already, `null` if nobody has. */
  readonly namedBy: number | null;
  /** The viewer's cards of this kind; if there are none, naming it is a bluff. */
  readonly ways: readonly Way[];
  /** How many cards of it the viewer has in his hand. */
  readonly inHand: number;
  /** How many cards of it lie face up that are his to give. */
  readonly faceUp: number;
}

/** Return the gift phase of a view, or `null` in any other phase. */
export function giftPhase(view: View | null): GiftView | null {
  return view?.phase.phase === "gift" ? view.phase : null;
}

/** Return what the viewer knows of each of these kinds. */
export function giftKinds(table: TableModel, kinds: readonly Bean[]): readonly GiftKind[] {
  const phase = giftPhase(table.view);
  const named = phase?.named ?? [];
  return kinds.map((bean) => {
    const ways = table.ways(bean);
    // of equal face-up cards only the first is a way to give one
    const lies = ways.some((way) => way.source === "face-up");
    return {
      bean,
      namedBy: named.find(([, other]) => other === bean)?.[0] ?? null,
      ways,
      inHand: ways.filter((way) => way.source === "hand").length,
      faceUp: lies ? (phase?.face_up ?? []).filter((other) => other === bean).length : 0,
    };
  });
}

/**
 * Return the command of a seat that names a kind; `way` is the card to give if it is taken, the usual one if
 * undefined.
 */
export function nameGift(view: View, seat: number, bean: Bean, way?: Way): NameGift {
  return {
    do: "name-gift",
    player: seat,
    bean,
    hand: way?.hand ?? [],
    hand_revision: view.own?.hand_revision ?? 0,
  };
}

/** Tell whether this kind may be named now. */
export function mayName(legal: readonly AnyCommand[], bean: Bean): boolean {
  return legal.some((command) => command.do === "name-gift" && command.bean === bean);
}

/** Return the kind named last, and by whom, while it waits for an answer; that is what `open` of the phase says. */
export function openGift(phase: GiftView): { readonly giver: number; readonly bean: Bean } | null {
  const last = phase.open ? phase.named.at(-1) : undefined;
  return last === undefined ? null : { giver: last[0], bean: last[1] };
}
