import { getContext, setContext, untrack } from "svelte";
import type { AnyCommand, Bean, View } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import { waitsFor } from "./waiting";

/** The commands that put one card on one field. */
const PLANTINGS = ["plant", "plant-set-aside", "plant-leftover", "plant-face-up", "plant-gift"] as const;

export type Planting = Extract<AnyCommand, { do: (typeof PLANTINGS)[number] }>;

/** A card that may be planted: where it lies, and which one it is there. */
export interface Source {
  readonly do: Planting["do"];
  readonly place: number;
  readonly bean: Bean;
}

export function isPlanting(command: AnyCommand): command is Planting {
  return (PLANTINGS as readonly string[]).includes(command.do);
}

/** Return which card of its kind of source a command plants. */
export function placeOf(command: Planting): number {
  return "place" in command ? command.place : 0;
}

/** Return the bean that a command would plant. */
export function beanOf(view: View, command: Planting): Bean | undefined {
  const { phase } = view;
  const place = placeOf(command);
  switch (command.do) {
    case "plant":
      return view.own?.hand[0];
    case "plant-set-aside":
      return view.players[command.player]?.set_aside[place];
    case "plant-leftover":
      return "leftovers" in phase ? phase.leftovers[place] : undefined;
    case "plant-face-up":
      return "face_up" in phase ? phase.face_up[place] : undefined;
    case "plant-gift":
      return "gift" in phase ? phase.gift[place] : undefined;
  }
}

/** Return the cards that may be planted now, each once, in the order of the commands. */
export function sourcesOf(view: View, legal: readonly AnyCommand[]): Source[] {
  const found: Source[] = [];
  for (const command of legal) {
    if (!isPlanting(command)) continue;
    const place = placeOf(command);
    const bean = beanOf(view, command);
    if (bean === undefined || found.some((other) => other.do === command.do && other.place === place)) continue;
    found.push({ do: command.do, place, bean });
  }
  return found;
}

/** Return how a card may be planted, by field. */
export function fieldsFor(legal: readonly AnyCommand[], source: Source | null): ReadonlyMap<number, Planting> {
  const fits = legal.filter(isPlanting).filter((command) => command.do === source?.do && placeOf(command) === source.place);
  return new Map(fits.map((command) => [command.field, command]));
}

/** What was asked for while a planting was on its way: a card to take next, or the field for the next one. */
interface Wish {
  readonly bean: Bean;
  readonly field: number | null;
}

/**
 * Which card is about to be planted, and where it may go. Fields, hand and market all look here, so that a tap on a
 * field always means the card that glows.
 */
export class Targets {
  private picked: Pick<Source, "do" | "place"> | null = $state.raw(null);
  /** A planting that was sent and is not seen yet. */
  private sent: Planting | null = $state.raw(null);
  private wish: Wish | null = null;

  constructor(
    private readonly table: TableModel,
    private readonly live: LiveTable | null,
  ) {}

  /** The cards that may be planted now. */
  readonly sources: readonly Source[] = $derived.by(() => {
    const { view, legal } = this.table;
    return view === null || this.live === null ? [] : sourcesOf(view, legal);
  });

  private readonly waiting: Planting | null = $derived.by(() => {
    const command = this.live?.held?.command;
    return command !== undefined && isPlanting(command) ? command : null;
  });

  /** The planting that is shown already though nobody else sees it: held back, or on its way. */
  readonly held: Planting | null = $derived(this.waiting ?? this.sent);

  /** Whether it can still be taken back. */
  readonly undoable: boolean = $derived(this.waiting !== null);

  /** How room can be made where cards wait to be planted and none of them fits, as far as that is allowed now; `null` where nothing of that kind is the matter. */
  readonly room: "both" | "harvest" | "buy" | "none" | null = $derived.by(() => {
    const { table } = this;
    const { view, seat } = table;
    if (this.live === null || view === null || seat === null || this.held !== null || this.sources.length > 0) return null;
    const { phase } = view;
    const aside = phase.phase !== "trade" && (view.players[seat]?.set_aside.length ?? 0) > 0;
    const due = phase.phase === "plant" && table.mine && phase.planted === 0 && view.own?.hand[0] !== undefined && table.allowed("reveal").length + table.allowed("keep-hand").length === 0;
    const open = phase.phase === "plant-face-up" && table.mine && phase.face_up.length > 0;
    const gift = phase.phase === "plant-gift" && waitsFor(view, seat);
    if (!aside && !due && !open && !gift) return null;
    const harvest = table.allowed("harvest").length > 0;
    const buy = table.allowed("buy-field").length > 0;
    return harvest ? (buy ? "both" : "harvest") : buy ? "buy" : "none";
  });

  /** The bean of that planting. */
  readonly heldBean: Bean | null = $derived.by(() => {
    const view = this.table.view;
    return view === null || this.held === null ? null : (beanOf(view, this.held) ?? null);
  });

  /** The card that a tap on a field plants. */
  readonly source: Source | null = $derived.by(() => {
    if (this.held !== null) return null;
    const { picked } = this;
    return this.sources.find((source) => source.do === picked?.do && source.place === picked.place) ?? this.sources[0] ?? null;
  });

  /** The fields on which it may be planted. */
  readonly fields: ReadonlyMap<number, Planting> = $derived.by(() => fieldsFor(this.table.legal, this.source));

  /** Whether this card is the one about to be planted. */
  aims(source: Pick<Source, "do" | "place">): boolean {
    return this.source?.do === source.do && this.source.place === source.place;
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
  pick(source: Pick<Source, "do" | "place">): void {
    if (this.held === null) {
      this.picked = source;
      return;
    }
    const bean = this.sources.find((other) => other.do === source.do && other.place === source.place)?.bean;
    if (bean === undefined || this.holds(source)) return;
    this.wish = { bean, field: null };
    this.live?.flush();
  }

  /** Plant the chosen card on a field; a planting that waits is sent first. Tells whether anything comes of it. */
  plant(field: number): boolean {
    if (this.live === null) return false;
    if (this.held !== null) {
      if (this.heldBean !== null) this.wish = { bean: this.heldBean, field };
      this.live.flush();
      return true;
    }
    const command = this.fields.get(field);
    if (command === undefined) return false;
    this.picked = null;
    this.live.hold(command);
    return true;
  }

  /** Take back what can be taken back. */
  undo(): void {
    this.wish = null;
    this.live?.undo();
  }

  private before: Planting | null = null;

  /** Keep showing what was sent until it is seen; to be called in an effect. */
  follow(): void {
    const now = this.waiting;
    const was = this.before;
    this.before = now;
    if (now !== null) this.sent = null;
    else if (was !== null && untrack(() => this.live?.pending ?? 0) > 0) this.sent = was; // else it was taken back
  }

  /** Everything was replaced: no batch tells of what was sent, and places mean other cards unless they are the `same`. */
  anew(same: boolean): void {
    this.sent = null;
    this.wish = null;
    if (!same) this.picked = null;
  }

  /** Forget what was sent, now that it is seen or refused, and do what was asked for meanwhile. */
  settle(): void {
    this.sent = null;
    const { wish } = this;
    if (wish === null || this.waiting !== null) return;
    this.wish = null;
    const { sources, table } = this;
    const alike = sources.filter((source) => source.bean === wish.bean);
    if (wish.field === null) {
      this.picked = alike[0] ?? null;
      return;
    }
    const field = wish.field;
    const commands = [...alike, ...sources].map((source) => fieldsFor(table.legal, source).get(field));
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
