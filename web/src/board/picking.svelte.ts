import { getContext, setContext } from "svelte";
import type { DiscardFromHand } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import type { Selection } from "../lib/selection.svelte";
import { moved } from "./handplaces";
import type { Targets } from "./targets.svelte";

/** What a tap on a card of the own hand means now: raise it for an offer, or choose it to be discarded. */
export class Picking {
  private chosen: number | null = $state(null);

  constructor(
    private readonly table: TableModel,
    private readonly live: LiveTable | null,
    private readonly selection: Selection,
    private readonly targets: Targets,
  ) {}

  private readonly trading: boolean = $derived.by(() => this.live !== null && this.table.view?.phase.phase === "trade" && this.table.seat !== null);

  private readonly discarding: boolean = $derived.by(() => this.live !== null && this.table.allowed("discard-from-hand").length > 0);

  /** Whether a tap on this card does anything. */
  can(place: number): boolean {
    return this.trading || this.discarding || (place === 0 && this.targets.may({ do: "plant", place: 0 }));
  }

  /** Whether the card stands out. */
  raised(place: number): boolean {
    return this.trading ? this.selection.hand.includes(place) : this.discarding && this.chosen === place;
  }

  /** The card was tapped. */
  tap(place: number): void {
    if (this.trading) this.selection.toggleHand(place);
    else if (this.discarding) this.chosen = this.chosen === place ? null : place;
    else if (place === 0 && this.targets.may({ do: "plant", place: 0 })) this.targets.pick({ do: "plant", place: 0 });
  }

  /** The discard of the chosen card, if there is one. */
  readonly discard: DiscardFromHand | null = $derived.by(() => {
    const legal = this.table.allowed("discard-from-hand")[0];
    const own = this.table.view?.own;
    const bean = this.chosen === null ? undefined : own?.hand[this.chosen];
    if (legal === undefined || own == null || this.chosen === null || bean === undefined) return null;
    return { ...legal, copy: [this.chosen, bean], hand_revision: own.hand_revision };
  });

  /** The hand has changed: the chosen card may lie elsewhere now. Both are the names of its cards. */
  follow(before: readonly number[], after: readonly number[]): void {
    if (this.chosen !== null) this.chosen = moved([this.chosen], before, after)[0] ?? null;
  }

  /** Choose none. */
  clear(): void {
    this.chosen = null;
  }
}

const KEY = Symbol("picking");

/** Hand it to all parts below. */
export function providePicking(picking: Picking): Picking {
  return setContext(KEY, picking);
}

/** Return what taps on the own hand mean at this table. */
export function getPicking(): Picking {
  return getContext<Picking>(KEY);
}
