/** The moments of a finished game, and those on its time line worth jumping to. */
import type {
  AnyReplayFrame,
  Batch,
  Bean,
  ReplayEntry,
  ReplayStart,
  ShownEvent,
} from "../generated/protocol";
import { patched, reworthed, type Worth } from "../lib/merge";
import type { Happening } from "../lib/model.svelte";

/** What there is to see after an entry. */
export interface Moment {
  readonly view: ReplayStart["game"];
  readonly worth: Worth;
  /** All hands by seat, if they were asked for. */
  readonly hands: readonly (readonly Bean[])[] | null;
}

/** What one may want to jump to. */
export type Mark = "turn" | "trade" | "harvest" | "field" | "end";

/** An entry worth jumping to. */
export interface Marked {
  readonly entry: number;
  readonly mark: Mark;
  readonly event: ShownEvent;
}

const MARKS: Partial<Record<ShownEvent["event"], Mark>> = {
  "turn-began": "turn",
  "traded-shown": "trade",
  "gift-taken": "trade",
  "gift-taken-shown": "trade",
  harvested: "harvest",
  "field-bought": "field",
  "game-ended": "end",
};

/** Talk about offers that came to nothing passes quickly. */
const MINOR = new Set<ShownEvent["event"]>([
  "offer-made",
  "offer-edited",
  "offer-shown",
  "offer-withdrawn",
  "offer-declined",
  "offer-claimed",
  "claim-shown",
  "claim-withdrawn",
  "claim-voided",
  "offer-voided",
  "passed",
  "wish-set",
  "promise-made",
  "promise-withdrawn",
]);

/** Entries between two stored moments: each other one is made from the last of these by patches. */
const SNAPSHOT_EVERY = 64;

/** A game that is over, entry by entry; any moment of it is there at once. */
export class Timeline {
  /** The entries at which something is to be seen, in order; the first is the deal. */
  readonly stops: readonly number[];
  /** What one may want to jump to, in order. */
  readonly marks: readonly Marked[];
  private readonly snapshots = new Map<number, Moment>();
  private readonly happenings: readonly Happening[];
  /** How many of the happenings lie before an entry and in it. */
  private readonly until: readonly number[];

  constructor(
    readonly start: ReplayStart,
    readonly entries: readonly ReplayEntry[],
  ) {
    this.snapshots.set(0, { view: start.game, worth: start.worth, hands: start.open_hands });
    this.stops = entries
      .filter(
        (entry) => entry.seq === 0 || (entry.events ?? []).some((event) => event.event !== "offer-declined"),
      )
      .map((entry) => entry.seq);
    this.happenings = entries.flatMap((entry) =>
      (entry.events ?? []).map((event) => ({ seq: entry.seq, at: entry.at ?? 0, by: entry.by, event })),
    );
    this.until = counted(entries);
    this.marks = entries.flatMap(marksOf);
    for (let entry = SNAPSHOT_EVERY; entry < entries.length; entry += SNAPSHOT_EVERY)
      this.snapshots.set(entry, this.moment(entry));
  }

  /** The last entry. */
  get last(): number {
    return this.entries.length - 1;
  }

  /** Return what there is to see after an entry. */
  moment(entry: number): Moment {
    let at = Math.floor(entry / SNAPSHOT_EVERY) * SNAPSHOT_EVERY;
    let found = this.snapshots.get(at);
    while (found === undefined) found = this.snapshots.get((at -= SNAPSHOT_EVERY));
    for (let next = at + 1; next <= entry; next += 1) found = after(found, this.entries[next]);
    return found;
  }

  /** Return what had happened up to an entry, oldest first, at most `most`. */
  log(entry: number, most: number): readonly Happening[] {
    const end = this.until[entry] ?? this.happenings.length;
    return this.happenings.slice(Math.max(0, end - most), end);
  }

  /** Return an entry as the batch it was. */
  batch(entry: number): Batch {
    const { seq, at, by, cause, events, view, worth } = this.entries[entry] ?? { seq: entry };
    return { type: "batch", seq, ...defined({ at, by, cause, events, view, worth }) };
  }

  /** Return the place among the stops of the last one that is not behind an entry. */
  stopAt(entry: number): number {
    let [low, high] = [0, this.stops.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.stops[middle] ?? 0) <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Return the next entry of a kind behind (or, with -1, before) an entry, or `null`. */
  jump(entry: number, mark: Mark, direction: 1 | -1): number | null {
    const there = this.marks.filter(
      (known) => known.mark === mark && (direction === 1 ? known.entry > entry : known.entry < entry),
    );
    return (direction === 1 ? there[0] : there.at(-1))?.entry ?? null;
  }

  /** Tell whether an entry only talks of offers. */
  isMinor(entry: number): boolean {
    return (this.entries[entry]?.events ?? []).every((event) => MINOR.has(event.event));
  }
}

/** Put the lines of a replay together; `null` if the first of them is missing. */
export function timelineOf(frames: readonly AnyReplayFrame[]): Timeline | null {
  const start = frames.find((frame) => frame.type === "replay");
  const entries = frames.filter((frame): frame is ReplayEntry => frame.type === "entry");
  return start?.type !== "replay" || entries.length === 0 ? null : new Timeline(start, entries);
}

function after(moment: Moment, entry: ReplayEntry | undefined): Moment {
  if (
    entry === undefined ||
    (entry.view === undefined && entry.worth === undefined && entry.open_hands === undefined)
  )
    return moment;
  const changed = entry.open_hands;
  return {
    view: entry.view === undefined ? moment.view : patched(moment.view, entry.view),
    worth: entry.worth === undefined ? moment.worth : reworthed(moment.worth, entry.worth),
    hands:
      changed === undefined
        ? moment.hands
        : (moment.hands?.map((hand, seat) => changed[seat] ?? hand) ?? null),
  };
}

function marksOf(entry: ReplayEntry): readonly Marked[] {
  return (entry.events ?? []).flatMap((event): Marked[] => {
    const mark = MARKS[event.event];
    return mark === undefined ? [] : [{ entry: entry.seq, mark, event }];
  });
}

function counted(entries: readonly ReplayEntry[]): readonly number[] {
  let count = 0;
  return entries.map((entry) => (count += entry.events?.length ?? 0));
}

/** Leave out what is not there, as the frames of the server do. */
function defined<T extends object>(parts: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
}
