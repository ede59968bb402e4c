/** A button that asks for confirmation in its own place: the second press within some seconds does it. */

/** How long, in ms, a second press confirms: long enough to read the question, too short to forget it. */
const CONFIRM = 4000;

/** What a component shows and asks of its buttons that need a second press; `T` says which button it is. */
export interface Confirmation<T> {
  /** The button that asks now; its question is shown. */
  readonly asking: T | null;
  /** Tell whether a press does it: at once if nothing `needs` confirmation, else the second time. */
  press(button: T, needs: boolean): boolean;
}

/** Return the confirmation of a component; call it during component initialisation (it registers an `$effect`). */
export function confirmTwice<T>(ms = CONFIRM): Confirmation<T> {
  let asking: T | null = $state.raw(null);
  $effect(() => {
    if (asking === null) return;
    const timer = setTimeout(() => (asking = null), ms);
    return () => clearTimeout(timer);
  });
  return {
    get asking() {
      return asking;
    },
    press(button, needs) {
      const done = !needs || asking === button;
      asking = done ? null : button;
      return done;
    },
  };
}
