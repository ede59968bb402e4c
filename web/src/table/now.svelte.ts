/** The present time, for clocks that run while they are shown. */
import { createSubscriber } from "svelte/reactivity";
import type { Clock } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import { clockFor, restsUntil, secondsLeft } from "./waiting";

/** The present time; components that read it are updated while they are shown. */
class Ticking {
  private readonly subscribe = createSubscriber((update) => {
    const timer = setInterval(update, 250);
    return () => clearInterval(timer);
  });

  /** Now, in ms since 1970; what reads it is shown anew four times a second. */
  get now(): number {
    this.subscribe();
    return Date.now();
  }
}

export const ticking = new Ticking();

/** The clock that matters now, the whole seconds it has left, and until when it stands still. */
interface ClockNow {
  readonly clock: Clock;
  readonly left: number;
  readonly rests: number | null;
}

/** Return the clock that matters now; `null` where none ends. */
export function clockNow(table: TableModel, live: LiveTable | null): ClockNow | null {
  const clock = clockFor(table.clocks, table.seat);
  if (clock === undefined) return null;
  const now = ticking.now + (live?.offset ?? 0);
  const left = secondsLeft(clock, now);
  return left === null ? null : { clock, left, rests: restsUntil(clock, now) };
}
