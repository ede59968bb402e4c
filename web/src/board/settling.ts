/** Protects a button from a press that was meant for what stood at its place a moment ago. */
import type { Attachment } from "svelte/attachments";
import { SETTLES } from "./market/still";

/** Let the pointer through a button for a moment after it has come, or begins to mean something else. */
export function settling(meaning: unknown): Attachment<HTMLElement> {
  void meaning;
  return (button) => {
    button.style.pointerEvents = "none";
    const timer = setTimeout(() => (button.style.pointerEvents = ""), SETTLES);
    return () => clearTimeout(timer);
  };
}
