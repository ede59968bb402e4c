/** Dragging a card with mouse or pen to a field of the viewer, or into the market. */
import type { Attachment } from "svelte/attachments";
import type { Source } from "../../table/planting";
import type { Carried, LayoutState } from "../../table/state.svelte";
import type { Targets } from "../targets.svelte";

/** How far a pointer moves before it is a drag and no click, in px. */
const SLACK = 6;

/** Return the own field under a point of the window. */
function fieldAt(x: number, y: number): number | null {
  const found = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>("[data-field]"))
    .find((element) => element !== null);
  const field = found?.dataset["field"];
  return field === undefined ? null : Number(field);
}

/** Tell whether the market lies under a point of the window. */
const isMarketAt = (x: number, y: number): boolean =>
  document.elementsFromPoint(x, y).some((element) => element.closest("[data-market]") !== null);

/**
 * Let mouse or pen drag a card to a field, or where `offered` returns what that does, into the market; fingers tap
 * instead, for they scroll and press long as well.
 */
export function drag(
  layout: LayoutState,
  source: () => Source | null,
  targets: Targets,
  offered: () => (() => void) | null = () => null,
): Attachment<HTMLElement> {
  return (element) => {
    const carried = (): Carried | null => (layout.carried?.from === element ? layout.carried : null);

    const end = (): void => {
      carried()?.drawn?.remove();
      if (carried() !== null) layout.carried = null;
      element.style.opacity = "";
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", end);
    };
    const lift = (): HTMLElement => {
      const box = element.getBoundingClientRect();
      const clone = element.cloneNode(true) as HTMLElement;
      clone.removeAttribute("data-place");
      clone.setAttribute("aria-hidden", "true");
      Object.assign(clone.style, {
        position: "fixed",
        left: `${box.left}px`,
        top: `${box.top}px`,
        zIndex: "55",
        pointerEvents: "none",
        rotate: "3deg",
        translate: "0 0",
      });
      document.body.append(clone); // the parts of the board keep what is fixed in them
      element.style.opacity = "0.3";
      return clone;
    };
    const move = (event: PointerEvent): void => {
      const card = carried();
      if (card === null) return;
      const [x, y] = [event.clientX - card.x, event.clientY - card.y];
      if (card.drawn === null && Math.hypot(x, y) > SLACK) card.drawn = lift();
      if (card.drawn !== null) card.drawn.style.transform = `translate(${x}px, ${y}px)`;
    };
    const drop = (event: PointerEvent): void => {
      const moved = carried()?.drawn != null;
      end();
      if (!moved) return;
      const field = fieldAt(event.clientX, event.clientY);
      if (source() === null) {
        if (isMarketAt(event.clientX, event.clientY)) offered()?.();
      } else if (field !== null) targets.plant(field);
      addEventListener("click", swallow, { capture: true, once: true }); // the drop is no click on whatever lies there
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    };
    const down = (event: PointerEvent): void => {
      const card = source();
      if ((card === null && offered() === null) || event.button !== 0 || event.pointerType === "touch")
        return;
      event.preventDefault(); // no selection of text, no image drag
      element.focus({ preventScroll: true });
      layout.carried = { from: element, x: event.clientX, y: event.clientY, drawn: null };
      if (card !== null) targets.pick(card);
      addEventListener("pointermove", move);
      addEventListener("pointerup", drop);
      addEventListener("pointercancel", end);
    };
    element.addEventListener("pointerdown", down);
    return () => {
      element.removeEventListener("pointerdown", down);
      end();
    };
  };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
