/** Stores in the browser how far the viewer has come in the lesson at a table. */
import type { Progress } from "./steps";

const key = (table: string): string => `bohn.lesson.${table}`;

/** Return how far the lesson at a table is, also after a reload. */
export function loadProgress(table: string): Progress {
  try {
    const found = JSON.parse(sessionStorage.getItem(key(table)) ?? "null") as Partial<Progress> | null;
    return { at: Number(found?.at ?? 0), said: found?.said === true };
  } catch {
    return { at: 0, said: false };
  }
}

/** Store how far the lesson is. */
export function saveProgress(table: string, progress: Progress): void {
  try {
    sessionStorage.setItem(key(table), JSON.stringify(progress));
  } catch {
    // without storage a reload begins with what is on the table
  }
}
