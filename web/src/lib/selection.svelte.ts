import { getContext, setContext } from "svelte";
import type { Bean, Copy, OfferView } from "../generated/protocol";
import type { TableModel } from "./model.svelte";

/** What the chosen cards are for: a new offer, a new revision, an answer to an offer, or one card to discard. */
export type Purpose =
  | { readonly is: "compose" }
  | { readonly is: "edit"; readonly offer: OfferView }
  | { readonly is: "counter"; readonly offer: OfferView }
  | { readonly is: "answer"; readonly offer: OfferView };

/** What the button does that ends the putting together: its words, whether it may, and what is missing if not. */
export interface Deed {
  readonly title: string;
  readonly label: string;
  readonly ready: boolean;
  readonly missing: string;
  readonly go: () => Promise<void>;
}

/**
 * The offer one is putting together: cards that are raised in the hand and among the face-up ones, kinds that
 * are wanted, and to whom. It lives in the browser only; the hand and the tray both show it.
 */
export class Selection {
  /** Whether the tray is open. */
  open = $state(false);
  purpose: Purpose = $state.raw({ is: "compose" });
  /** Places in the own hand, as chosen. */
  hand: readonly number[] = $state.raw([]);
  /** Places among the face-up cards. */
  faceUp: readonly number[] = $state.raw([]);
  want: readonly Bean[] = $state.raw([]);
  /** Seats; empty means everybody it may concern. */
  to: readonly number[] = $state.raw([]);
  /** Whether one picks among those who would take it; `null` is the usual: yes, if there are several. */
  letMeChoose: boolean | null = $state(null);
  /** While the tray is open: how what is put together is sent. */
  deed: Deed | null = $state.raw(null);

  constructor(private readonly table: TableModel) {}

  /** Begin anew. */
  clear(): void {
    this.open = false;
    this.purpose = { is: "compose" };
    this.hand = [];
    this.faceUp = [];
    this.want = [];
    this.to = [];
    this.letMeChoose = null;
  }

  /** Raise or lower a hand card. */
  toggleHand(place: number): void {
    this.hand = toggled(this.hand, place);
    this.open = this.open || this.hand.length > 0;
  }

  /** Raise or lower a face-up card. */
  toggleFaceUp(place: number): void {
    this.faceUp = toggled(this.faceUp, place);
    this.open = this.open || this.faceUp.length > 0;
  }

  /** Want one more of a kind, or (`less`) one fewer. */
  wish(bean: Bean, less = false): void {
    const at = this.want.lastIndexOf(bean);
    if (!less) this.want = [...this.want, bean];
    else if (at >= 0) this.want = this.want.filter((_, index) => index !== at);
    this.open = true;
  }

  /** The chosen hand cards as commands name them. */
  readonly handCopies: readonly Copy[] = $derived.by(() => copies(this.hand, this.table.view?.own?.hand ?? []));

  /** The chosen face-up cards as commands name them. */
  readonly faceCopies: readonly Copy[] = $derived.by(() => copies(this.faceUp, faceUpOf(this.table)));
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

const KEY = Symbol("selection");

/** Hand a selection to all parts below. */
export function provideSelection(table: TableModel): Selection {
  return setContext(KEY, new Selection(table));
}

/** Return the selection of this table. */
export function getSelection(): Selection {
  return getContext<Selection>(KEY);
}

