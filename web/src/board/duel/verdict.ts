/** How naming a gift has just ended, to be shown until the next thing happens: taken, or caught as a bluff. */
import type { Bean, ShownEvent } from "../../generated/protocol";
import type { Happening } from "../../lib/model.svelte";

/** What a caught bluff cost. */
export type Price = "coin" | "bonus" | "nothing";

/** How the haggling over a gift came out. */
export type Verdict =
  | { readonly is: "given"; readonly giver: number; readonly taker: number; readonly bean: Bean }
  | {
      readonly is: "caught";
      readonly giver: number;
      readonly taker: number;
      readonly bean: Bean;
      readonly price: Price;
    };

/**
 * Return how the last thing that happened, a haggling over a gift, came out; `null` once anything has happened
 * since, and while it goes on.
 */
export function verdictOf(log: readonly Pick<Happening, "seq" | "event">[]): Verdict | null {
  const last = log.at(-1)?.seq;
  const events = log.filter(({ seq }) => seq === last).map(({ event }) => event);
  const price = events.reduce<Price>((known, event) => priceOf(event) ?? known, "nothing");
  for (const event of events) {
    if (event.event === "bluff-caught")
      return { is: "caught", giver: event.giver, taker: event.player, bean: event.bean, price };
    if (event.event === "gift-taken" || event.event === "gift-taken-shown")
      return { is: "given", giver: event.giver, taker: event.player, bean: event.bean };
  }
  return null;
}

/** Return what was paid for a caught bluff; `null` if the event is something else. */
function priceOf(event: ShownEvent): Price | null {
  if (event.event === "bluff-paid-shown") return "bonus";
  if (event.event !== "bluff-paid") return null;
  return event.coin !== "" ? "coin" : event.bonus.length > 0 ? "bonus" : "nothing";
}
