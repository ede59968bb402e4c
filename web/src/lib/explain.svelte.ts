/** Explanations on demand: which thing on the page explains itself, and what it says. */
import type { Attachment } from "svelte/attachments";
import type { AnyCommand } from "../generated/protocol";

/** The explanation of a thing: a sentence, the clause behind it, and a command that is asked about. */
export interface Note {
  readonly text: string;
  readonly clause?: string | null | undefined;
  /** If set, the server is asked why this command would be refused now, and its answer is shown. */
  readonly why?: AnyCommand | null | undefined;
}

const at = (event: PointerEvent): string => `${event.clientX} ${event.clientY}`;

/** What is explained now, and beside which element. */
class Explaining {
  note: Note | null = $state.raw(null);
  anchor: HTMLElement | null = $state.raw(null);
  /** Whether it was asked for by a press, and so stays until it is put away. */
  pinned = $state(false);
  /** Opens the sheet of the rules at a clause, where there is one. */
  openRule: ((clause: string) => void) | null = $state.raw(null);
  /** Where a mouse was last, whatever it did: what comes to lie there was not pointed at. Empty until it has moved. */
  private rested = "";

  /** Remember where a mouse is; called once all things below it have heard of the event. */
  rest(event: PointerEvent): void {
    if (event.pointerType === "mouse") this.rested = at(event);
  }

  /** Tell whether a mouse is elsewhere than it was: a thing that comes under it does not move it. */
  moved(event: PointerEvent): boolean {
    return this.rested === "" ? event.type === "pointermove" : this.rested !== at(event);
  }

  show(anchor: HTMLElement, note: Note, pinned: boolean): void {
    this.note = note;
    this.anchor = anchor;
    this.pinned = pinned;
  }

  hide(anchor?: HTMLElement): void {
    if (anchor !== undefined && anchor !== this.anchor) return;
    this.note = null;
    this.anchor = null;
    this.pinned = false;
  }
}

export const explaining = new Explaining();

/** How long, in ms, a mouse rests on something before it is explained. */
const HOVER = 450;

/** Keys after which what the keyboard has come to is still explained: those that move on, or close one thing. */
const KEEPS = ["Tab", "Shift", "Control", "Alt", "Meta", "Escape"];

/** How long, in ms, a finger presses before it is a long press; phones use about half a second. */
const PRESS = 500;

/**
 * Show an explanation of an element on hover, focus by keyboard, or long press:
 * `{@attach explain(() => ({ text, clause }))}`.
 *
 * What does nothing else when it is pressed is explained by each press (`pressable`), and by the next no more.
 *
 * A disabled button receives no events, so use `aria-disabled` for what is not legal now.
 */
export function explain(note: () => Note | null, pressable = false): Attachment<HTMLElement> {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pressed = false;
    const show = (pinned: boolean): void => {
      const found = note();
      if (found !== null) explaining.show(element, found, pinned);
    };
    const later = (event: PointerEvent): void => {
      if (event.pointerType !== "mouse" || explaining.pinned || explaining.anchor === element) return;
      clearTimeout(timer);
      if (explaining.moved(event)) timer = setTimeout(() => show(false), HOVER);
    };
    const leave = (event: PointerEvent): void => {
      clearTimeout(timer);
      if (event.pointerType === "mouse" && !explaining.pinned) explaining.hide(element);
    };
    const press = (event: PointerEvent): void => {
      pressed = false;
      if (event.pointerType === "mouse") return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        pressed = true;
        show(true);
      }, PRESS);
    };
    const lift = (): void => clearTimeout(timer);
    const click = (event: Event): void => {
      if (pressed) {
        pressed = false;
        event.preventDefault();
        event.stopPropagation();
      } else if (element.getAttribute("aria-disabled") === "true") {
        event.preventDefault();
        event.stopPropagation();
        show(true);
      } else if (pressable) {
        if (explaining.pinned && explaining.anchor === element) explaining.hide();
        else show(true);
      }
    };
    const menu = (event: Event): void => {
      if (pressed) event.preventDefault();
    };
    const focus = (): void => {
      if (!element.matches(":focus-visible") || explaining.pinned) return;
      show(false);
    };
    // whoever goes on by keys has read it, and wants to see what lies below
    const typed = (event: KeyboardEvent): void => {
      if (!explaining.pinned && !KEEPS.includes(event.key)) explaining.hide(element);
    };
    // an element that goes away loses the focus while the page is being changed, where no state may be set
    const blur = (): void => queueMicrotask(() => explaining.hide(element));
    element.addEventListener("pointerenter", later);
    element.addEventListener("pointermove", later);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("pointerdown", press);
    element.addEventListener("pointerup", lift);
    element.addEventListener("pointercancel", lift);
    element.addEventListener("click", click, true);
    element.addEventListener("contextmenu", menu);
    element.addEventListener("keydown", typed);
    element.addEventListener("focus", focus);
    element.addEventListener("blur", blur);
    return () => {
      clearTimeout(timer);
      blur();
      element.removeEventListener("pointerenter", later);
      element.removeEventListener("pointermove", later);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("pointerdown", press);
      element.removeEventListener("pointerup", lift);
      element.removeEventListener("pointercancel", lift);
      element.removeEventListener("click", click, true);
      element.removeEventListener("contextmenu", menu);
      element.removeEventListener("keydown", typed);
      element.removeEventListener("focus", focus);
      element.removeEventListener("blur", blur);
    };
  };
}
