/** Where the sentence in the bar leads: the thing on the table that it asks for. */
import { focusOn } from "../../lib/focus";
import type { TableModel } from "../../lib/model.svelte";
import { moves } from "../../lib/settings.svelte";
import { ownClaimedOffers } from "../../table/offers/closing";
import { offersWaiting, ordered, trading } from "../../table/offers/offers";
import { promisesToKeep } from "../../table/talk/talk";
import { waitsFor } from "../../table/waiting";

/** What may be asked for outside the trading, the most urgent first: each as a selector. */
const ASKED = [
  ".target .plot",
  ".harvest.helps",
  ".gate.helps .buy",
  "[data-take]:not([aria-disabled='true'])",
  "[data-face-up][aria-pressed]",
  "[data-claim-bonus]",
  "[data-bonus]:not([aria-disabled='true'])",
  "[data-discard-bonus]:not([aria-disabled='true'])",
  "[data-refill]",
  "[data-card='0']",
] as const;

/** How long what the bar leads to is marked, in ms. */
const FLASH = 900;

/** Px by which a ticket may stand out and be whole in sight. */
const SLACK = 4;

/**
 * Return the offer that the viewer is asked to decide: one of his with claims, else the first he may take that lies out
 * of sight, or else the first.
 */
export function askedOffer(table: TableModel): number | null {
  const [claimed] = ownClaimedOffers(table);
  if (claimed !== undefined) return claimed.id;
  const waiting = ordered(offersWaiting(table), table).map(({ id }) => id);
  return waiting.find((id) => !isWholeInSight(id)) ?? waiting[0] ?? null;
}

/** Tell whether the ticket of an offer lies whole in what scrolls around it. */
function isWholeInSight(offer: number): boolean {
  const ticket = document.getElementById(`ticket-${offer}`);
  const row = ticket?.closest("section.offers .row");
  if (ticket === null || row === null || row === undefined) return true;
  const [box, frame] = [ticket.getBoundingClientRect(), row.getBoundingClientRect()];
  const [across, down] = [
    box.left >= frame.left - SLACK && box.right <= frame.right + SLACK,
    box.top >= frame.top - SLACK && box.bottom <= frame.bottom + SLACK,
  ];
  return across && down;
}

/** Return what the bar asks for as it is drawn now, `null` where it asks for nothing. */
export function askedFor(table: TableModel): HTMLElement | null {
  const offer = askedOffer(table);
  if (offer !== null) return document.getElementById(`ticket-${offer}`);
  if (trading(table.view) !== null)
    return table.mine || promisesToKeep(table).length > 0 ? document.querySelector(".make") : null;
  if (!waitsFor(table.view, table.seat)) return null;
  for (const selector of ASKED) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found !== null) return found;
  }
  return null;
}

/** Bring a thing into sight in whatever scrolls around it. */
export function bring(thing: Element): void {
  thing.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Bring into sight what the bar asks for, and put the focus there. */
export function lead(table: TableModel): void {
  const thing = askedFor(table);
  if (thing === null) return;
  bring(thing);
  focusOn(thing);
  if (moves())
    thing.animate([{ outline: "4px solid var(--glow)" }, { outline: "4px solid transparent" }], FLASH);
}
