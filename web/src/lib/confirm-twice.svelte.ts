/**
 * A button that asks for confirmation in its own place: the second press does it. The question stays until it is
 * answered or something else is done, so that nobody wonders where it has gone.
 */

/** What a component shows and asks of its buttons that need a second press; `T` says which button it is. */
export interface Confirmation<T> {
  /** The button that asks now; its question is shown. */
  readonly asking: T | null;
  /** Tell whether a press does it: at once if nothing `needs` confirmation, else the second time. */
  press(button: T, needs: boolean): boolean;
}

/**
 * Return the confirmation of a component; call it during component initialisation (it registers `$effect`s). Once what
 * the question is `about` changes it is no longer asked.
 */
export function confirmTwice<T>(about: () => unknown = () => null): Confirmation<T> {
  let asking: T | null = $state.raw(null);
  /** Whether the click that is told about now was an answer. */
  let answered = false;
  const subject = $derived(about());
  $effect(() => {
    void subject;
    asking = null;
  });
  $effect(() =>
    whenElsewhere(
      () => answered || (asking = null),
      () => (answered = false),
    ),
  );
  return {
    get asking() {
      return asking;
    },
    press(button, needs) {
      const done = !needs || asking === button;
      asking = done ? null : button;
      answered = true;
      return done;
    },
  };
}

/** Call `before` at the beginning of each click, and `after` once all has heard of it, or at Escape. */
function whenElsewhere(after: () => void, before: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // a form is sent only when its click has been told everywhere
  const told = (): void => {
    clearTimeout(timer);
    timer = setTimeout(after);
  };
  const escaped = ({ key }: KeyboardEvent): void => {
    if (key !== "Escape") return;
    before();
    after();
  };
  addEventListener("click", before, { capture: true });
  addEventListener("click", told);
  addEventListener("keydown", escaped);
  return () => {
    clearTimeout(timer);
    removeEventListener("click", before, { capture: true });
    removeEventListener("click", told);
    removeEventListener("keydown", escaped);
  };
}
