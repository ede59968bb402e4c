import { createSubscriber } from "svelte/reactivity";

/** The time, for clocks that tick while somebody looks at them. */
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
