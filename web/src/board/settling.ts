/** Protects a button from a press that was meant for what stood at its place a moment ago. */
import type { Attachment } from "svelte/attachments";
import { SETTLES } from "./market/still";

/**
 * Let the pointer through a button for a moment after it has come, or begins to mean something else; its key does
 * nothing meanwhile either, unless that could mean nothing else before (`keys`).
 */
export function settling(meaning: unknown, keys = true): Attachment<HTMLElement> {
  void meaning;
  return (button) => {
    button.style.pointerEvents = "none";
    if (keys) button.dataset["settles"] = "";
    const stop = (): void => {
      button.style.pointerEvents = "";
      delete button.dataset["settles"];
    };
    const timer = setTimeout(stop, SETTLES);
    return () => {
      clearTimeout(timer);
      delete button.dataset["settles"];
    };
  };
}
