/**
 * What becomes of offers that were answered, or waited for an answer: one that a counter-offer has answered is done
 * with once that is carried out, and of one that goes while the viewer reads it he is told why.
 */
import type { Batch, OfferView, TradedShown, View } from "../../generated/protocol";
import { covers } from "../../lib/beans";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import type { PageState } from "../state.svelte";
import { given, goneOffers, isParty, isRefused, noteSettled, offersWaiting, trading } from "./offers";

/** Ms in which the bar tells what became of offers that had waited: long enough to look up and read it twice. */
export const MISSED_MS = 15_000;
/** Ms of that once the trading is over, when other things are to be read there. */
export const MISSED_AFTER_MS = 7_000;
/** How many further markets begin until it is old news, though nobody was there to read it. */
const OLD = 2;
/** What shows that somebody sits before the page: only then the time to read runs. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focus"] as const;

/** Follow what becomes of offers. Call it during component initialisation (it registers `$effect`s). */
export function followAnswers(page: PageState, live: LiveTable): void {
  let waited: readonly number[] = [];
  let unanswered: readonly number[] = [];
  /** How many markets have begun since something was missed. */
  let markets = 0;
  $effect(() =>
    live.watch({
      before(batch) {
        waited = offersWaiting(live).map(({ id }) => id);
        unanswered = openOffers(live).map(({ id }) => id);
        for (const traded of trades(batch)) noteSettled(traded, live);
      },
      after(batch, was) {
        withdrawCountered(live, batch, was);
        if (trading(was) === null && trading(live.view) !== null) {
          live.taken = []; // they are numbered anew
          markets += 1;
          if (markets >= OLD) page.missed = [];
        }
        const own = batch.by === live.seat && batch.cause !== "clock"; // a last call ends in the name of its player
        if (own || trades(batch).some((traded) => isParty(traded, live.seat))) {
          page.missed = []; // he has gone on, and did the rest of it himself, or has what he wanted
          return;
        }
        const gone = goneOffers(was, live.view, batch, live.log).filter(
          ({ offer, why }) =>
            waited.includes(offer.id) || (why === "closed" && unanswered.includes(offer.id)),
        );
        if (gone.length === 0) return;
        if (page.missed.length === 0) markets = 0;
        page.missed = [...page.missed, ...gone];
      },
    }),
  );
  $effect(() => {
    if (page.missed.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      const long = trading(live.view) === null ? MISSED_AFTER_MS : MISSED_MS;
      timer ??= setTimeout(() => (page.missed = []), long);
    };
    for (const sign of SIGNS) addEventListener(sign, read, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) removeEventListener(sign, read);
    };
  });
}

/** Return the viewer's own offers that somebody has still to answer. */
const openOffers = (table: TableModel): readonly OfferView[] =>
  (trading(table.view)?.offers ?? []).filter(
    (offer) => offer.maker === table.seat && offer.claimers.length === 0 && !isRefused(offer, table),
  );

const trades = (batch: Batch): readonly TradedShown[] =>
  (batch.events ?? []).filter((event) => event.event === "traded-shown");

/**
 * Return the viewer's offers that are done with once he has taken another's: he had asked its maker for nothing but
 * what he has now. The rules leave them open, and he would lose a second card for it. One that somebody has claimed
 * stands: nothing comes of it before he picks.
 */
export function countered(taken: OfferView, table: TableModel): readonly OfferView[] {
  const got = given(taken);
  return (trading(table.view)?.offers ?? []).filter(
    ({ id, maker, to, want, claimers }) =>
      maker === table.seat &&
      id < taken.id &&
      to.includes(taken.maker) &&
      claimers.length === 0 &&
      want.length > 0 &&
      covers(got, want),
  );
}

/** Take back for the viewer what was answered by the offers that he has taken on this page. */
function withdrawCountered(live: LiveTable, batch: Batch, was: View | null): void {
  for (const { offer: id, partner } of trades(batch)) {
    const taken = trading(was)?.offers.find((offer) => offer.id === id);
    if (taken === undefined || partner !== live.seat || !live.taken.includes(id)) continue;
    for (const { id: offer } of countered(taken, live))
      void live.act({ do: "withdraw-offer", player: partner, offer });
  }
}
