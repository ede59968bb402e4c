import type { LiveTable } from "../lib/live.svelte";

/** Which lines of a table's chat were read on this device. */
export class Unread {
  private read = $state(0);

  constructor(private readonly live: LiveTable | null) {
    try {
      this.read = Number(localStorage.getItem(this.key) ?? "0");
    } catch {
      // without storage all lines are new after a reload
    }
  }

  private get key(): string {
    return `bohn.read.${this.live?.id ?? ""}`;
  }

  /** How many lines of others are new. */
  readonly count: number = $derived.by(() => this.live?.lines.filter((line) => line.line > this.read && line.user !== this.live?.user).length ?? 0);

  /** All that is there now is read. */
  clear(): void {
    const newest = this.live?.lines.at(-1)?.line ?? 0;
    if (newest <= this.read) return;
    this.read = newest;
    try {
      localStorage.setItem(this.key, String(newest));
    } catch {
      // it is known as long as the page lasts
    }
  }
}
