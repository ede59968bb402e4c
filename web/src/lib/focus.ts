/** Keeps the keyboard focus near where it was when the focused element goes away. */

/** The element that had the focus last, and the parts around it. */
interface Trace {
  readonly element: HTMLElement;
  /** From the nearest to the farthest. */
  readonly around: readonly HTMLElement[];
}

const PLACES = "article, section, main, form, [role=group], [role=dialog], [data-board]";

/** Tell whether something can be seen and reached. */
export function isThere(element: Element | null): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    element.closest("[inert], [hidden]") === null &&
    element.getClientRects().length > 0
  );
}

/** Put the keyboard on an element, also on one that takes none by itself. */
export function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus({ preventScroll: false });
}

function trace(element: HTMLElement): Trace {
  const around: HTMLElement[] = [];
  for (
    let at = element.parentElement?.closest<HTMLElement>(PLACES);
    at != null;
    at = at.parentElement?.closest<HTMLElement>(PLACES)
  )
    around.push(at);
  return { element, around };
}

/** Return where the keyboard goes on when its place has vanished: never onto a button that was not meant. */
export function successor({ element, around }: Trace, root: ParentNode): HTMLElement | null {
  if (isThere(element) && !element.matches(":disabled")) return element; // it was only moved
  const { card } = element.dataset;
  if (card !== undefined) {
    const cards = [...root.querySelectorAll<HTMLElement>("[data-card]")].filter(isThere);
    const next = cards[Math.min(Number(card), cards.length - 1)];
    if (next !== undefined) return next;
  }
  return around.find((place) => isThere(place)) ?? [...root.querySelectorAll("main")].find(isThere) ?? null;
}

/**
 * Keep the focus near its place: when the focused element vanishes, is moved or disabled, the part around it is
 * focused. Returns how to stop.
 */
export function keepFocus(root: HTMLElement): () => void {
  let last: Trace | null = null;
  let onItsWay = false; // between two elements nothing has the focus, and what changes then may run already
  const leave = (event: FocusEvent): void => {
    if (event.relatedTarget === null) return;
    onItsWay = true;
    setTimeout(() => {
      onItsWay = false;
      look();
    });
  };
  const come = (event: FocusEvent): void => {
    last = event.target instanceof HTMLElement ? trace(event.target) : null;
  };
  const point = (event: PointerEvent): void => {
    if (
      event.target instanceof Element &&
      event.target.closest("button, a, input, select, textarea, [tabindex]") === null
    )
      last = null; // whoever taps beside everything wants no focus
  };
  const look = (): void => {
    if (
      last === null ||
      onItsWay ||
      !document.hasFocus() ||
      (document.activeElement !== null && document.activeElement !== document.body)
    )
      return;
    const next = successor(last, root);
    if (next !== null) focusOn(next);
  };
  let soon = false;
  const observer = new MutationObserver(() => {
    look();
    if (soon) return;
    soon = true; // what becomes inert loses the keyboard only with the next picture
    requestAnimationFrame(() =>
      setTimeout(() => {
        soon = false;
        look();
      }),
    );
  });
  observer.observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["inert", "hidden", "disabled"],
  });
  root.addEventListener("blur", leave, true);
  root.addEventListener("focusin", come);
  root.addEventListener("pointerdown", point);
  return () => {
    last = null;
    observer.disconnect();
    root.removeEventListener("blur", leave, true);
    root.removeEventListener("focusin", come);
    root.removeEventListener("pointerdown", point);
  };
}
