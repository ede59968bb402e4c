/** The present time, for clocks that run while they are shown. */
import { createSubscriber } from "svelte/reactivity";
import type { Clock } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import { clockFor, secondsLeft } from "./waiting";

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

/** Return the clock that matters now, and the whole seconds it has left; `null` where none ends. */
export function clockNow(table: TableModel, live: LiveTable | null): { clock: Clock; left: number } | null {
  const clock = clockFor(table.clocks, table.seat);
  const left = clock === undefined ? null : secondsLeft(clock, ticking.now + (live?.offset ?? 0));
  return clock === undefined || left === null ? null : { clock, left };
}
