/** Everything that lies on a table, for whatever shows it: a live game or a replay. */
import { getContext, setContext } from "svelte";
import type {
  AnyCommand,
  Answer,
  Batch,
  Bean,
  Choices,
  Clock,
  OfferSpace,
  Person,
  PlayerView,
  Preview,
  Room,
  Seat,
  ShownEvent,
  View,
  Way,
  Welcome,
} from "../generated/protocol";
import { after, previewOf, type Shown, type Worth } from "./merge";

/** One thing that has happened, with the batch it came in. */
export interface Happening {
  readonly seq: number;
  readonly at: number;
  readonly event: ShownEvent;
  /** Who or what brought it about, as far as that is told. */
  readonly cause?: Batch["cause"];
  /** The seat whose command of the game it was. */
  readonly by?: Batch["by"];
}

/** Return what has happened in a batch. */
export function happeningsOf({ seq, at = 0, cause, by, events = [] }: Batch): readonly Happening[] {
  return events.map((event) => ({ seq, at, event, cause, by }));
}

/**
 * Is called with every batch, before it is shown and after (with the view as it was), and when a new state
 * replaces everything.
 */
export interface Watcher {
  before?(batch: Batch): void;
  after?(batch: Batch, was: View | null): void;
  /**
   * Everything was replaced; `same` tells that seat, turn and own hand are still those that places were chosen in,
   * `was` is the view before.
   */
  anew?(same: boolean, was: View | null): void;
}

/** Events that the log stores: more than the turns anybody scrolls back through; of whoever does, as many as he has. */
const LOG_LENGTH = 600;

/** What is on a table, for whatever shows it: a live table, or a replay. */
export class TableModel {
  private shown: Shown | null = $state.raw(null);
  /** One's own seat, `null` for a spectator. */
  seat: number | null = $state(null);
  user: string | null = $state(null);
  /** What has happened, oldest first. */
  log: readonly Happening[] = $state.raw([]);
  /** The seats whose owners are here, and how many others watch. */
  present: readonly number[] = $state.raw([]);
  watching = $state(0);
  /** The names of those who watch, as far as they have one. */
  spectators: readonly string[] = $state.raw([]);
  /** The seats that put an offer together while beans are traded, and those that have traded enough. */
  composing: readonly number[] = $state.raw([]);
  enough: readonly number[] = $state.raw([]);
  /**
   * The offers that the viewer has answered on this page with one of his own, each as "turn: number.revision", for the
   * numbers begin anew in each market; and the newest of his own offers before that.
   */
  countered: ReadonlyMap<string, number> = $state.raw(new Map());
  /** Those of them whose answer was carried out. */
  settled: readonly string[] = $state.raw([]);
  /** The offers of others that the viewer has taken on this page. */
  taken: readonly number[] = $state.raw([]);
  /** What the seats are called where no users sit: in the replay of a record. */
  names: readonly string[] = $state.raw([]);
  /** Whether one may act here: a live table with an open line. */
  live = $state(false);

  readonly seq: number = $derived(this.shown?.seq ?? 0);
  readonly room: Room | null = $derived(this.shown?.room ?? null);
  readonly view: View | null = $derived(this.shown?.game ?? null);
  readonly people: Readonly<Record<string, Person>> = $derived(this.shown?.people ?? {});
  readonly worth: Worth = $derived(this.shown?.worth ?? []);
  readonly clocks: readonly Clock[] = $derived(this.shown?.clocks ?? []);
  readonly choices: Choices | null = $derived(this.shown?.choices ?? null);
  /** What the viewer may do now: nothing during a pause. */
  readonly legal: readonly AnyCommand[] = $derived(this.room?.paused ? [] : (this.choices?.legal ?? []));
  readonly space: OfferSpace | null = $derived(this.choices?.offers ?? null);

  private readonly watchers = new Set<Watcher>();

  /** Call a watcher with every batch from now on; returns how to stop. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Replace everything. */
  welcome(frame: Welcome): void {
    const known = this.shown !== null;
    const was = this.view;
    const before = this.aim();
    this.shown = frame;
    this.seat = frame.seat;
    this.user = frame.user;
    this.present = frame.present;
    this.watching = frame.watching;
    this.spectators = frame.spectators;
    this.composing = frame.composing;
    this.enough = frame.enough;
    if (frame.fresh) this.log = [];
    if (!known) return;
    const same = before === this.aim();
    for (const watcher of this.watchers) watcher.anew?.(same, was);
  }

  /** What must stay the same for chosen places to mean the same cards: seat, turn and own hand. */
  private aim(): string {
    return JSON.stringify([this.seat, this.view?.turn, this.view?.own?.hand_revision]);
  }

  /** Show a whole state at once, of a replay. */
  show(shown: Shown | null, log: readonly Happening[]): void {
    this.shown = shown;
    this.log = log;
  }

  /** Take a batch; those behind what is shown are history and only enter the log. */
  take(batch: Batch): void {
    const was = this.view;
    if (this.shown !== null && batch.seq <= this.shown.seq) return this.note(batch);
    for (const watcher of this.watchers) watcher.before?.(batch);
    if (this.shown !== null) this.shown = after(this.shown, batch);
    this.note(batch);
    for (const watcher of this.watchers) watcher.after?.(batch, was);
  }

  /** Put new parts of what is shown over the old ones. */
  protected change(parts: (shown: Shown) => Partial<Shown>): void {
    if (this.shown !== null) this.shown = { ...this.shown, ...parts(this.shown) };
  }

  private note(batch: Batch): void {
    const happened = happeningsOf(batch);
    if (happened.length === 0) return;
    this.log = [...this.log, ...happened].slice(-Math.max(LOG_LENGTH, this.log.length));
  }

  /** Return a player as everybody sees him. */
  player(seat: number): PlayerView | undefined {
    return this.view?.players[seat];
  }

  /** Return a seat of the room. */
  place(seat: number): Seat | undefined {
    return this.room?.seats[seat];
  }

  /** The seats in turn order, beginning behind one's own (or with the first), without one's own. */
  readonly others: readonly number[] = $derived.by(() => {
    const count = this.view?.players.length ?? this.room?.seats.length ?? 0;
    const first = this.seat === null ? 0 : this.seat + 1;
    const around = Array.from({ length: count }, (_, index) => (first + index) % count);
    return around.filter((seat) => seat !== this.seat);
  });

  /** Whether it is one's own turn. */
  readonly mine: boolean = $derived(this.seat !== null && this.view?.active_player === this.seat);

  /** Return what an offer on the table would mean for the own fields. */
  preview(offer: number): Preview | undefined {
    return previewOf(this.choices?.previews ?? [], offer)?.preview;
  }

  /** Return the own cards that the server proposes to give for an offer to oneself. */
  proposedCopies(offer: number): Answer | null {
    return previewOf(this.choices?.previews ?? [], offer)?.answer ?? null;
  }

  /** Return the own cards with which a named kind could be delivered, the usual one first; none for a bluff. */
  ways(bean: Bean): readonly Way[] {
    return this.choices?.gifts.find((gift) => gift.bean === bean)?.ways ?? [];
  }

  /** Return the legal commands of one name. */
  allowed<Name extends AnyCommand["do"]>(name: Name): readonly Extract<AnyCommand, { do: Name }>[] {
    return this.legal.filter((command): command is Extract<AnyCommand, { do: Name }> => command.do === name);
  }
}

const KEY = Symbol("table");

/** Hand a table to all parts below. */
export function provide<T extends TableModel>(table: T): T {
  return setContext(KEY, table);
}

/** Return the table that a part shows. */
export function getTable<T extends TableModel = TableModel>(): T {
  return getContext<T>(KEY);
}
