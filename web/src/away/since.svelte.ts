/** What has happened at a table over days since the viewer looked at it last, on this device. */
import type { LiveTable } from "../lib/live.svelte";
import type { Happening } from "../lib/model.svelte";

/** Which batch somebody has seen last, and when he came back; what came between is new. */
export class LastLook {
  seq: number | null = $state(null);
  back = $state(0);
}

/** The last look at the table that is shown. */
export const lastLook = new LastLook();

const key = (table: LiveTable): string => `bohn.looked.${table.id}`;

/** Tell whether something has happened between the last look and this one. */
export function isNew(look: LastLook, { seq, at }: Pick<Happening, "seq" | "at">): boolean {
  return look.seq !== null && seq > look.seq && at <= look.back;
}

/** Note that the viewer has read what was new. */
export function lookedAt(look: LastLook): void {
  look.seq = null;
}

/** Note the last look at a table whenever its page is left, and look what is new when it is come back to. */
export function followLooks(look: LastLook, table: LiveTable): () => void {
  const comeBack = (seq: number | null): void => {
    look.seq = seq;
    look.back = Date.now() + table.offset;
  };
  const leave = (): void => {
    try {
      localStorage.setItem(key(table), String(table.seq));
    } catch {
      // without storage it is known as long as the page lasts
    }
  };
  const turn = (): void => (document.hidden ? leave() : comeBack(stored(table)));
  comeBack(stored(table));
  if (look.seq === null) leave();
  document.addEventListener("visibilitychange", turn);
  globalThis.addEventListener("pagehide", leave);
  return () => {
    leave();
    lookedAt(look);
    document.removeEventListener("visibilitychange", turn);
    globalThis.removeEventListener("pagehide", leave);
  };
}

function stored(table: LiveTable): number | null {
  try {
    const found = localStorage.getItem(key(table));
    return found === null ? null : Number(found);
  } catch {
    return null;
  }
}
