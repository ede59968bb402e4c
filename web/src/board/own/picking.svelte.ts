/** What a tap on a hand card does at the moment: add it to an offer, or choose it to be discarded. */
import { getContext, setContext } from "svelte";
import type { DiscardFromHand } from "../../generated/protocol";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import type { LayoutState, PageState } from "../../table/state.svelte";
import { tapCard } from "../../table/selection";
import { moved } from "./handplaces";
import type { Targets } from "../targets.svelte";
import { discardOf } from "../../table/planting";

/** What a tap on a card of the own hand means now: raise it for an offer, or choose it to be discarded. */
export class Picking {
  constructor(
    private readonly page: PageState,
    private readonly layout: LayoutState,
    private readonly table: TableModel,
    private readonly live: LiveTable | null,
    private readonly targets: Targets,
  ) {}

  private readonly trading: boolean = $derived.by(
    () => this.live !== null && this.table.view?.phase.phase === "trade" && this.table.seat !== null,
  );

  private readonly discarding: boolean = $derived.by(
    () => this.live !== null && this.table.allowed("discard-from-hand").length > 0,
  );

  /** Whether a tap on this card does anything. */
  can(place: number): boolean {
    return this.trading || this.discarding || (place === 0 && this.targets.may({ do: "plant", place: 0 }));
  }

  /** Return what it does to lay the card into the market, `null` where it cannot be offered or already is raised. */
  offering(place: number): (() => void) | null {
    if (!this.trading || this.raised(place)) return null;
    return () => tapCard(this.page.selection, this.table, "hand", place);
  }

  /** Whether the card stands out. */
  raised(place: number): boolean {
    return this.trading
      ? this.page.selection.hand.includes(place)
      : this.discarding && this.layout.discard === place;
  }

  /** Whether it may go in the place of one that is chosen: the viewer is asked which of equal cards he gives. */
  swaps(place: number): boolean {
    const { open, purpose } = this.page.selection;
    const bean = this.table.view?.own?.hand[place];
    if (!this.trading || !open || purpose.is !== "accept" || bean === undefined) return false;
    return !this.raised(place) && purpose.offer.want.includes(bean);
  }

  /** The card was tapped. */
  tap(place: number): void {
    if (this.trading) tapCard(this.page.selection, this.table, "hand", place);
    else if (this.discarding) this.layout.discard = this.layout.discard === place ? null : place;
    else if (place === 0) {
      const front = this.targets.sources.find((source) => source.do === "plant");
      if (front !== undefined) this.targets.pick(front);
    }
  }

  /** The discard of the chosen card, if there is one. */
  readonly discard: DiscardFromHand | null = $derived.by(() =>
    this.layout.discard === null ? null : discardOf(this.table, this.layout.discard),
  );

  /** The hand has changed: the chosen card may lie elsewhere now. Both are the names of its cards. */
  follow(before: readonly number[], after: readonly number[]): void {
    if (this.layout.discard !== null)
      this.layout.discard = moved([this.layout.discard], before, after)[0] ?? null;
  }

  /** Choose none. */
  clear(): void {
    this.layout.discard = null;
  }
}

const KEY = Symbol("picking");

/** Provide it to all components below. */
export function providePicking(picking: Picking): Picking {
  return setContext(KEY, picking);
}

/** Return what taps on the own hand mean at this table. */
export function getPicking(): Picking {
  return getContext<Picking>(KEY);
}
