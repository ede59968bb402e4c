/** Offers that fell away: the page takes an own one back once another has brought the same. The log tells no reason. */
import type { Bean, ShownEvent, TradedShown } from "../generated/protocol";
import type { Happening } from "./model.svelte";

/** What is asked of whom by an offer, whether it is one's own or another's. */
interface Terms {
  readonly id: number;
  readonly maker: number;
  readonly to: readonly number[];
  readonly want: readonly Bean[];
}

/** Ms after an exchange in which an offer goes that wanted the same: the page needs the time of one message. */
const SOON = 3_000;

/**
 * Return who has got through another offer what he had asked for in one that fell away, as far as the log tells: he
 * took one of somebody whom he had asked, got all of it, and took his own back in the same moment. `end` is where
 * the log ends with that, `null` is returned for an offer that was taken back for any other reason.
 */
export function fellAway(offer: number, log: readonly Happening[], end = log.length): number | null {
  const at = log[end - 1]?.at ?? 0;
  const exchanges: TradedShown[] = [];
  for (let index = end - 1; index >= 0; index -= 1) {
    const happening = log[index];
    if (happening === undefined || happening.event.event === "trading-began") return null;
    const { event } = happening;
    if (event.event === "traded-shown" && at - happening.at <= SOON) exchanges.push(event);
    const terms = termsOf(event);
    if (terms?.id === offer)
      return exchanges.some((exchange) => answers(exchange, terms)) ? terms.maker : null;
  }
  return null;
}

/** Return the offer that an event tells of: that one was made, or is another now. */
const termsOf = (event: ShownEvent): Terms | null =>
  "offer" in event && typeof event.offer === "object" ? event.offer : null;

/** Tell whether an exchange has given the maker of an offer all that he had asked for in it, by a later offer. */
function answers(exchange: TradedShown, { id, maker, to, want }: Terms): boolean {
  const got = [...exchange.maker_hand, ...exchange.maker_face_up.map(([, bean]) => bean)];
  const count = (beans: readonly Bean[], bean: Bean): number =>
    beans.filter((other) => other === bean).length;
  return (
    exchange.partner === maker &&
    to.includes(exchange.maker) &&
    id < exchange.offer &&
    want.length > 0 &&
    want.every((bean) => count(want, bean) <= count(got, bean))
  );
}
