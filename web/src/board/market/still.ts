/** Protects tickets from a press that was meant for what lay there a moment ago. */

/** How long after a ticket has come, moved or changed a press on it does nothing, in ms. */
export const SETTLES = 500;

/** How long a ticket says that it took no press, in ms. */
export const TELLS = 1600;

/** What unfolds or slides under a finger takes for a moment no press that was meant for what lay there. */
export function settling(unfolded: HTMLElement): () => void {
  unfolded.style.pointerEvents = "none";
  const timer = setTimeout(() => (unfolded.style.pointerEvents = ""), SETTLES);
  return () => clearTimeout(timer);
}

/** Where a ticket lies and how large it is, in px, and which revision of its offer it shows. */
interface Seen {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly revision: string | undefined;
}

/** Knows where each ticket lay, and lets the pointer through those that are new there. */
export class Stillness {
  private seen: ReadonlyMap<string, Seen> | null = null;
  /** The size of every ticket there was, as a style. */
  private readonly last = new Map<string, string>();
  private readonly timers = new Map<HTMLElement, ReturnType<typeof setTimeout>>();

  /** Look at the tickets after a change; what lies there at the first look has not moved. */
  look(tickets: Iterable<HTMLElement>): void {
    const now = new Map<string, Seen>();
    for (const ticket of tickets) {
      const { offer = "", revision } = ticket.dataset;
      const {
        offsetLeft: left,
        offsetTop: top,
        offsetWidth: width,
        offsetHeight: height,
      } = ticket.parentElement ?? ticket;
      const was = this.seen?.get(offer);
      if (this.seen !== null && (was?.left !== left || was.top !== top || was.revision !== revision))
        this.hold(ticket);
      now.set(offer, { left, top, width, height, revision });
      this.last.set(offer, `min-width: ${width}px; min-height: ${height}px`);
    }
    this.seen = now;
  }

  /** All of them have moved under the pointer, as when the market was scrolled. */
  holdAll(tickets: Iterable<HTMLElement>): void {
    for (const ticket of tickets) this.hold(ticket);
  }

  /** Return the style that keeps a place as large as its ticket was. */
  sizeOf(offer: number): string | undefined {
    return this.last.get(String(offer));
  }

  /** Let the ticket that took no press at this point of the window say so in these words, if one is held there. */
  tell(x: number, y: number, words: string): void {
    for (const ticket of this.timers.keys()) {
      const { left, right, top, bottom } = ticket.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) continue;
      ticket.dataset["held"] = words;
      setTimeout(() => delete ticket.dataset["held"], TELLS);
      return;
    }
  }

  /** Forget what is still held. */
  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private hold(ticket: HTMLElement): void {
    clearTimeout(this.timers.get(ticket));
    ticket.style.pointerEvents = "none";
    const timer = setTimeout(() => {
      this.timers.delete(ticket);
      ticket.style.pointerEvents = "";
    }, SETTLES);
    this.timers.set(ticket, timer);
  }
}
