/** The playing, pausing and stepping of a replay, for its buttons, keys and clock. */
import type { ReplayTable } from "./replay.svelte";
import type { Mark } from "./timeline";

export const SPEEDS: readonly number[] = [0.5, 1, 2, 4, 8];

/** How long a moment is shown at the usual speed, in ms. */
const MOMENT = 1100;

/** The same for a moment in which only offers are talked about. */
const TALK = 380;

/** Moves a replay: on request of buttons and keys, and by itself while it plays. */
export class Playback {
  playing = $state(false);
  speed = $state(1);

  constructor(private readonly table: ReplayTable) {}

  /** Play, or pause; from the end it begins anew. */
  toggle(): void {
    const { timeline } = this.table;
    if (timeline === null) return;
    if (!this.playing && this.atEnd) this.table.put(0);
    this.playing = !this.playing;
  }

  /** Go to a stop, by its number. */
  scrub(stop: number): void {
    this.playing = false;
    this.table.put(this.table.timeline?.stops[stop] ?? 0);
  }

  step(direction: 1 | -1): void {
    this.scrub(
      Math.max(0, Math.min(this.table.stop + direction, (this.table.timeline?.stops.length ?? 1) - 1)),
    );
  }

  turn(direction: 1 | -1): void {
    this.jump("turn", direction);
  }

  /** Go to the next (or the last) moment of a kind; where there is none, to the end (or the beginning). */
  jump(mark: Mark, direction: 1 | -1): void {
    const { timeline, at } = this.table;
    if (timeline === null) return;
    this.playing = false;
    this.table.put(timeline.jump(at, mark, direction) ?? (direction === 1 ? timeline.last : 0));
  }

  get atEnd(): boolean {
    return this.table.stop >= (this.table.timeline?.stops.length ?? 1) - 1;
  }

  /** Keep time while it plays; to be called in an effect. */
  run(): (() => void) | undefined {
    const { timeline, stop } = this.table;
    if (!this.playing || timeline === null) return undefined;
    const next = timeline.stops[stop + 1];
    if (next === undefined) {
      this.playing = false;
      return undefined;
    }
    const timer = setTimeout(
      () => this.table.put(next),
      (timeline.isMinor(next) ? TALK : MOMENT) / this.speed,
    );
    return () => clearTimeout(timer);
  }
}
