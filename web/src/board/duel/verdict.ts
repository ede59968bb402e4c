/** How naming a gift ended in this turn, to be shown after it: taken, or caught as a bluff. */
import type { Bean } from "../../generated/protocol";
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
 * Return how the last haggling of this turn came out; `null` while it goes on, and once the gift is planted or the turn
 * has passed.
 */
export function verdictOf(log: readonly Pick<Happening, "event">[]): Verdict | null {
  let price: Price = "nothing";
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const event = log[at]?.event;
    switch (event?.event) {
      case "bluff-paid":
        price = event.coin !== "" ? "coin" : event.bonus.length > 0 ? "bonus" : "nothing";
        break;
      case "bluff-paid-shown":
        price = "bonus";
        break;
      case "bluff-caught":
        return { is: "caught", giver: event.giver, taker: event.player, bean: event.bean, price };
      case "gift-taken":
      case "gift-taken-shown":
        return { is: "given", giver: event.giver, taker: event.player, bean: event.bean };
      case "gift-planted":
      case "gift-named":
      case "gift-shown":
      case "haggling-began":
      case "turn-began":
        return null;
      default:
    }
  }
  return null;
}
