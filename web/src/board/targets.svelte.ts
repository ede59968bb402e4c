/** Which cards can be planted on which fields now, and the planting or harvest that can still be taken back. */
import { getContext, setContext, untrack } from "svelte";
import type { AnyCommand, Bean, Harvest } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import {
  beanOf,
  firstOf,
  fieldsFor,
  isFieldDeed,
  placeOf,
  sourcesOf,
  type FieldDeed,
  type Planting,
  type Source,
} from "../table/planting";
import type { LayoutState, PageState } from "../table/state.svelte";
import { waitsFor } from "../table/waiting";

/** What is legal while a card must be planted and fits nowhere; if anything else is, the game goes on without room. */
const BESIDE: readonly AnyCommand["do"][] = [
  "harvest",
  "buy-field",
  "claim-bonus",
  "leave-rest",
  "discard-leftover",
];

/**
 * Which card is about to be planted, and where it may go. Fields, hand and market all look here, so that a tap on a
 * field always means the card that is marked.
 */
export class Targets {
  constructor(
    private readonly page: PageState,
    private readonly layout: LayoutState,
    private readonly table: TableModel,
    private readonly live: LiveTable | null,
  ) {}

  /** The cards that may be planted now. */
  readonly sources: readonly Source[] = $derived.by(() => {
    const { view, legal } = this.table;
    return view === null || this.live === null ? [] : sourcesOf(view, legal);
  });

  private readonly waiting: FieldDeed | null = $derived.by(() => {
    const command = this.page.held?.command;
    return command !== undefined && isFieldDeed(command) ? command : null;
  });

  /** The planting that is shown already though nobody else sees it: held back, or on its way. */
  readonly held: Planting | null = $derived.by(
    () => [this.waiting, this.layout.sent].find((deed) => deed != null && deed.do !== "harvest") ?? null,
  );

  /** The harvest that is shown already though nobody else sees it: held back, or on its way. */
  readonly clearing: Harvest | null = $derived.by(
    () => [this.waiting, this.layout.sent].find((deed) => deed?.do === "harvest") ?? null,
  );

  /** Whether it can still be taken back. */
  readonly undoable: boolean = $derived(this.waiting !== null);

  /**
   * How room can be made where cards wait to be planted and none of them fits, as far as that is allowed now;
   * `null` where nothing of that kind is the matter, and once a field is cleared.
   */
  readonly room: "both" | "harvest" | "buy" | "none" | null = $derived.by(() => {
    if (this.clearing !== null || !this.stuck()) return null;
    const harvest = this.table.allowed("harvest").length > 0;
    const buy = this.table.allowed("buy-field").length > 0;
    return harvest ? (buy ? "both" : "harvest") : buy ? "buy" : "none";
  });

  /** Whether the page has said for the viewer that he is done in this market. */
  get countedDone(): boolean {
    return this.table.view !== null && this.page.countedDone === this.table.view.turn;
  }

  /** Tell whether cards wait to be planted, and none of them fits. */
  private stuck(): boolean {
    const { view, seat, legal } = this.table;
    if (this.live === null || view === null || seat === null || this.held !== null || this.sources.length > 0)
      return false;
    const { phase } = view;
    const sorts =
      phase.phase === "leftovers" || (phase.phase === "plant-face-up" && phase.face_up.length === 0);
    return !sorts && waitsFor(view, seat) && legal.every((command) => BESIDE.includes(command.do));
  }

  /** Tell whether a field is being cleared, and a card waits that can be planted there as soon as it is. */
  opens(field: number): boolean {
    return this.clearing?.field === field && (this.source !== null || this.stuck() || this.mayPlantOn());
  }

  /** Tell whether a second card of the hand may be planted, but fits nowhere. */
  private mayPlantOn(): boolean {
    const { view, seat } = this.table;
    return (
      view?.phase.phase === "plant" &&
      waitsFor(view, seat) &&
      view.phase.planted < 2 &&
      (view.own?.hand.length ?? 0) > 0
    );
  }

  /** The bean of that planting. */
  readonly heldBean: Bean | null = $derived.by(() => {
    const view = this.table.view;
    return view === null || this.held === null ? null : (beanOf(view, this.held) ?? null);
  });

  /** The card that a tap on a field plants. */
  readonly source: Source | null = $derived.by(() => {
    if (this.held !== null) return null;
    return this.likest(this.layout.picked) ?? firstOf(this.table.view, this.sources, this.table.legal);
  });

  /**
   * The card set aside that comes behind one that can still be taken back: nobody need wait for that to go on.
   */
  readonly next: Source | null = $derived.by(() => {
    const { held } = this;
    if (held?.do !== "plant-set-aside" || this.layout.queued !== null) return null;
    const left = this.sources.filter((source) => source.do === held.do && !this.holds(source));
    const alike = left.find(({ bean }) => bean === this.heldBean);
    return alike ?? firstOf(this.table.view, left, this.table.legal);
  });

  /** Whether cards wait of which none is chosen, for in the wrong order they cost a field. */
  get mindsOrder(): boolean {
    return this.held === null && this.sources.length > 0 && this.source === null;
  }

  /** The card that was asked for while another is on its way. */
  private readonly asked: Source | null = $derived.by(() =>
    this.layout.queued?.from === undefined ? null : this.likest(this.layout.queued.from),
  );

  /** The fields on which it may be planted; the next one joins what can be taken back only where it is like it. */
  readonly fields: ReadonlyMap<number, Planting> = $derived.by(() => {
    const { held, next } = this;
    if (held === null || next === null) return fieldsFor(this.table.legal, this.source);
    const fits = [...fieldsFor(this.table.legal, next)];
    return new Map(fits.filter(([field]) => field !== held.field || next.bean === this.heldBean));
  });

  /**
   * Return what a tap on a field plants: the chosen card, or where that does not fit, the only kind that does; cards
   * that were set aside are planted in any order.
   */
  onTap(field: number): Planting | undefined {
    const chosen = this.fields.get(field);
    if (chosen !== undefined || this.held !== null) return chosen;
    const others = this.sources.filter((source) => fieldsFor(this.table.legal, source).has(field));
    if (new Set(others.map(({ bean }) => bean)).size !== 1) return undefined;
    return fieldsFor(this.table.legal, others[0] ?? null).get(field);
  }

  /** Return this very card, or one like it from the same place: places move on when a card before them leaves. */
  private likest(wanted: Source | null): Source | null {
    if (wanted === null) return null;
    const alike = this.sources.filter(
      (source) => source.do === wanted.do && source.bean === wanted.bean && !this.holds(source),
    );
    return alike.find((source) => source.place === wanted.place) ?? alike[0] ?? null;
  }

  /** Whether this card is the one about to be planted. */
  aims(source: Pick<Source, "do" | "place">): boolean {
    const aim = this.source ?? this.asked ?? this.next;
    return aim?.do === source.do && aim.place === source.place;
  }

  /** Whether a card of this kind that was set aside is the one about to be planted: those are alike. */
  aimsAside(bean: Bean): boolean {
    const aim = this.source ?? this.asked ?? this.next;
    return aim?.do === "plant-set-aside" && aim.bean === bean;
  }

  /** Whether this card lies on a field already, though nobody else sees it. */
  holds(source: Pick<Source, "do" | "place">): boolean {
    return this.held?.do === source.do && placeOf(this.held) === source.place;
  }

  /** Whether this card may be planted now. */
  may(source: Pick<Source, "do" | "place">): boolean {
    return this.sources.some((other) => other.do === source.do && other.place === source.place);
  }

  /** Choose the card that is planted next. */
  pick(source: Source): void {
    if (this.held === null) {
      this.layout.picked = source;
      return;
    }
    if (this.holds(source)) return;
    this.layout.queued = { bean: source.bean, from: source, field: null };
    this.live?.flush();
  }

  /** Plant a card on a field, the chosen one by itself; what waits is sent first. Returns whether anything is done. */
  plant(field: number, command = this.fields.get(field)): boolean {
    if (this.live === null) return false;
    if (this.held !== null) {
      const { queued } = this.layout;
      const { next } = this;
      if (queued?.from !== undefined) this.layout.queued = { ...queued, field };
      else if (next !== null && next.bean !== this.heldBean && this.fields.has(field))
        this.layout.queued = { bean: next.bean, from: next, field };
      else if (this.heldBean !== null) this.layout.queued = { bean: this.heldBean, field };
      this.live.flush();
      return true;
    }
    if (this.opens(field)) {
      // what was chosen, though it fits nowhere yet, or what is next, or whatever can follow there
      this.layout.queued = { bean: (this.layout.picked ?? this.source)?.bean ?? null, field };
      this.live.flush();
      return true;
    }
    if (command === undefined) return false;
    this.layout.picked = this.source; // the next of its kind comes next
    this.live.hold(command);
    return true;
  }

  /** Take back what can be taken back. */
  undo(): void {
    this.layout.queued = null;
    this.live?.undo();
  }

  /** Keep showing what was sent until it is seen; to be called in an effect. */
  follow(): void {
    const now = this.waiting;
    const was = this.layout.before;
    this.layout.before = now;
    if (now !== null) this.layout.sent = was?.do === "harvest" && now !== was ? was : null;
    // else it was taken back
    else if (was !== null && untrack(() => this.live?.pending ?? 0) > 0) this.layout.sent = was;
  }

  /**
   * Everything was replaced: no batch tells of what was sent, and places mean other cards unless they are the
   * `same`.
   */
  anew(same: boolean): void {
    this.layout.sent = null;
    this.layout.queued = null;
    if (!same) this.layout.picked = null;
  }

  /** Somebody did something; what others do tells nothing about what was sent. */
  after(by: number | undefined): void {
    if (by === this.table.seat) this.settle();
  }

  /** Forget what was sent, now that it is seen or refused, and do what was asked for meanwhile. */
  settle(): void {
    this.layout.sent = null;
    const { queued } = this.layout;
    if (queued === null || this.waiting !== null) return;
    this.layout.queued = null;
    const { sources, table } = this;
    const alike = sources.filter((source) => source.bean === queued.bean);
    const next = alike[0] ?? null;
    if (queued.from !== undefined || queued.field === null) this.layout.picked = next;
    if (queued.field === null) return;
    const field = queued.field;
    // who chose a card means that one; who tapped the field again means whatever can follow there
    const meant = queued.from !== undefined ? alike : [...alike, ...sources];
    const commands = meant.map((source) => fieldsFor(table.legal, source).get(field));
    const command = commands.find((found) => found !== undefined);
    if (command !== undefined) this.live?.hold(command);
  }
}

const KEY = Symbol("targets");

/** Hand the targets to all parts below. */
export function provideTargets(targets: Targets): Targets {
  return setContext(KEY, targets);
}

/** Return the targets of this table. */
export function getTargets(): Targets {
  return getContext<Targets>(KEY);
}
