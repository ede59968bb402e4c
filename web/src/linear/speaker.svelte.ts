/** A sentence in a live region. */
export interface Said {
  readonly key: number;
  readonly text: string;
}

/** How many sentences a region keeps: what is taken out is not said again. */
const KEPT = 12;

/** What the live regions of the page hold. Anybody may put a sentence in. */
class Voice {
  polite: readonly Said[] = $state.raw([]);
  urgent: readonly Said[] = $state.raw([]);
  private counter = 0;

  /** Say something when it is quiet. */
  say(...texts: readonly string[]): void {
    this.polite = [...this.polite, ...texts.map((text) => this.said(text))].slice(-KEPT);
  }

  /** Say something at once. */
  call(...texts: readonly string[]): void {
    this.urgent = [...this.urgent, ...texts.map((text) => this.said(text))].slice(-KEPT);
  }

  /** Say nothing more of what was. */
  hush(): void {
    this.polite = [];
    this.urgent = [];
  }

  private said(text: string): Said {
    this.counter += 1;
    return { key: this.counter, text };
  }
}

export const voice = new Voice();
