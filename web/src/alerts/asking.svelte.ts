/** How we are told, as the server answers what is asked for one by one: what there is, and why something is refused. */
import type { AlertsInfo } from "../generated/protocol";
import { asRefusal, type Refusal } from "../lib/http";
import { alertsOf, here, obstacleOf, subscribe } from "./alerts";

/** What is known of how we are told, for the parts of the page that show and change it. */
export class Asking {
  info: AlertsInfo | null = $state.raw(null);
  /** What this browser can do. */
  place = $state.raw(here());
  busy = $state(false);
  refusal: Refusal | null = $state.raw(null);

  /** Whether the browser would not have it, though it had asked, as in a private window. */
  private barred = $state(false);

  /** What is in the way of telling this device; `null` where nothing is. */
  readonly obstacle = $derived(this.barred ? "denied" : obstacleOf(this.info?.offered ?? [], this.place));

  /** Resolves once what is asked for is answered. */
  private running: Promise<void> = Promise.resolve();

  /** Ask for something once all that was asked for before is answered; returns whether it was not refused. */
  async inTurn(action: () => Promise<AlertsInfo | null | undefined>): Promise<boolean> {
    while (this.busy) await this.running;
    return this.attempt(action);
  }

  /** Ask for something, unless something is asked for already; returns whether it was not refused. */
  async attempt(action: () => Promise<AlertsInfo | null | undefined>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    let answered = (): void => undefined;
    this.running = new Promise((resolve) => (answered = resolve));
    this.refusal = null;
    try {
      this.info = (await action()) ?? this.info;
    } catch (error) {
      this.refusal = asRefusal(error);
    }
    this.place = here();
    this.busy = false;
    answered();
    return this.refusal === null;
  }

  /** Find out how we are told. */
  look(): Promise<boolean> {
    return this.attempt(alertsOf);
  }

  /** Have this device told; returns whether it is. */
  async turnOn(): Promise<boolean> {
    let told = false;
    await this.attempt(async () => {
      try {
        const found = await subscribe(this.info?.key ?? "");
        told = found !== null;
        return found;
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        this.barred = true;
        return null;
      }
    });
    return told;
  }
}
