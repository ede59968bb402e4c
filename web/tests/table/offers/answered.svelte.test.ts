import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Batch, OfferView, ShownEvent, TradedShown, View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { accept } from "../../../src/table/offers/actions";
import { followAnswers, MISSED_AFTER_MS, MISSED_MS } from "../../../src/table/offers/answered.svelte";
import { fellAway } from "../../../src/lib/fellaway";
import type { Happening } from "../../../src/lib/model.svelte";
import { farewell, missedText, partiesOf } from "../../../src/table/offers/farewell";
import {
  acceptance,
  goneOffers,
  noteCounter,
  offersWaiting,
  roleOf,
  toldOf,
} from "../../../src/table/offers/offers";
import { recentLines } from "../../../src/table/recent";
import { PageState } from "../../../src/table/state.svelte";
import { liveTable } from "../../mounted";
import { batch, offer, takingAll, view } from "../../sample";

let end: (() => void) | undefined;

beforeAll(() => loadLanguage("en"));
beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  end?.();
  vi.useRealTimers();
});

const trade = (...offers: readonly OfferView[]): View =>
  view({ phase: { phase: "trade", face_up: [], offers, passes: [] } });

/** A trading of seat 1 with these offers, whose fate is followed. */
function followed(...offers: readonly OfferView[]) {
  const game = trade(...offers);
  const [table, socket] = liveTable({ game, choices: takingAll(game) });
  const page = new PageState();
  end = $effect.root(() => followAnswers(page, table));
  flushSync();
  const hear = (changes: Partial<Batch>, ...left: readonly OfferView[]): void => {
    socket.hear(batch({ seq: table.seq + 1, view: { phase: trade(...left).phase }, ...changes }));
    flushSync();
  };
  const sent = (): readonly unknown[] => socket.sent.flatMap(({ command }) => command ?? []);
  return { table, page, hear, sent };
}

const traded = (id: number, maker: number, partner: number): TradedShown => ({
  event: "traded-shown",
  offer: id,
  maker,
  partner,
  maker_hand: [],
  maker_face_up: [],
  partner_hand: [],
  partner_face_up: [],
  own: [],
});

/** Own offers of a wax bean for a soy bean, and what seat 1 asks for the soy bean instead. */
const OWN = offer({ id: 1, maker: 0, to: [1], hand: [3], want: [8] });
const COUNTER = offer({ id: 2, maker: 1, to: [0], hand: [8], want: [2] });

/** Take the counter-offer while this own offer stands; return what the page sends. */
function taken(own: OfferView): readonly unknown[] {
  const { table, page, hear, sent } = followed(own, COUNTER);
  const command = acceptance(COUNTER, table.legal);
  if (command === undefined) throw new Error("it can be taken");
  void accept(page.selection, table, COUNTER, command);
  hear({ by: 0, events: [traded(2, 1, 0)] }, own);
  return sent().slice(1);
}

test("whoever takes a counter-offer takes his own offer back with the same press", () => {
  expect(taken(OWN)).toEqual([{ do: "withdraw-offer", player: 0, offer: 1 }]);
});

test.each([
  ["to another", { to: [2] }],
  ["for another bean", { want: [9] }],
  ["for more than was given", { want: [8, 8] }],
  ["that somebody wants", { open: true, to: [1, 2], claimers: [2] }],
  ["of cards for nothing", { want: [] }],
] as const)("an own offer %s stands when another's is taken", (_, changes) => {
  expect(taken(offer({ ...OWN, ...changes }))).toEqual([]);
});

test("whoever called the last call is told what has lapsed at its end", () => {
  const { table, page, hear } = followed(COUNTER);
  hear({ by: 0, cause: "clock", view: { phase: { phase: "plant-traded", set_aside: [] } as never } });
  expect(missedText(page.missed, table)).toBe("Offer gone: Bert – trading is over.");
});

test("whose own offer has lapsed with the trading is told so, unless he has ended it himself or it was refused", () => {
  const closed = { phase: { phase: "plant-traded", set_aside: [] } as never };
  const told = (own: OfferView, changes: Partial<Batch>): string => {
    const { table, page, hear } = followed(own);
    hear({ view: closed, ...changes });
    end?.();
    return missedText(page.missed, table);
  };
  const text = "Your offer to Bert had no answer before trading ended.";
  expect(told(OWN, { by: 1, cause: "clock" })).toBe(text);
  expect(told(OWN, { by: 1, cause: "bot" })).toBe(text);
  expect(told(OWN, { by: 0, cause: "player" })).toBe("");
  expect(told({ ...OWN, claimers: [1] }, { by: 1, cause: "bot" })).toBe("");
});

test("what was taken in another window is followed up there", () => {
  const { hear, sent } = followed(OWN, COUNTER);
  hear({ by: 0, events: [traded(2, 1, 0)] }, OWN);
  expect(sent()).toEqual([]);
});

test("an offer waits no more for whoever has countered it once the counter-offer is carried out", () => {
  const asked = offer({ id: 1 });
  const counter = offer({ id: 2, maker: 0, to: [1] });
  const { table, hear } = followed(asked, counter);
  noteCounter(asked, table, 0);
  hear({ by: 1, events: [traded(2, 0, 1)] }, asked);
  expect(roleOf(asked, table)).toBe("countered");
  expect(offersWaiting(table)).toEqual([]);
});

test("it is told what became of offers that had waited, until it was read", async () => {
  const [one, other] = [offer({ id: 1 }), offer({ id: 2, maker: 2 })];
  const { table, page, hear } = followed(one, other);
  hear({ by: 1, events: [{ event: "offer-withdrawn", offer: 1 }] }, other);
  expect(missedText(page.missed, table)).toBe("Offer gone: Bert has taken the offer back.");
  hear({ by: 1, view: { phase: { phase: "plant-traded" } } });
  expect(missedText(page.missed, table)).toBe(
    "Offers gone: Bert has taken the offer back. Chiyo – trading is over.",
  );
  hear({ by: 1, view: trade(offer({ id: 1, maker: 2 })) }, offer({ id: 1, maker: 2 }));
  await vi.advanceTimersByTimeAsync(3 * MISSED_MS);
  expect(page.missed).toHaveLength(2); // nobody has been there since
  dispatchEvent(new Event("pointermove"));
  await vi.advanceTimersByTimeAsync(MISSED_MS - 100);
  expect(page.missed).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(page.missed).toEqual([]);
});

test("what nobody was there to read is old news in the market after the next", async () => {
  const { page, hear } = followed(offer({ id: 1 }));
  hear({ by: 1, view: { phase: { phase: "plant-traded" } } });
  const next = offer({ id: 1, maker: 2, to: [1] });
  hear({ by: 1, view: trade(next) }, next);
  expect(page.missed).toHaveLength(1);
  hear({ by: 2, view: { phase: { phase: "plant-traded" } } });
  hear({ by: 2, view: trade(next) }, next);
  await vi.advanceTimersByTimeAsync(0);
  expect(page.missed).toEqual([]);
});

test("offers that went by exchanges of one player are told in one sentence", () => {
  const { table, page, hear } = followed(offer({ id: 1 }), offer({ id: 2 }), offer({ id: 3, maker: 2 }));
  hear({ by: 2, events: [traded(1, 1, 2)] }, offer({ id: 2 }), offer({ id: 3, maker: 2 }));
  hear({ by: 2, events: [traded(2, 1, 3)] }, offer({ id: 3, maker: 2 }));
  const text = missedText(page.missed, table);
  expect(text).toMatch(/^Offers gone: Bert has traded with Chiyo and \S+\.$/u);
});

test("an offer that its counter-offer has answered is not told as taken back, to nobody", () => {
  const own = { ...offer({ ...OWN, hand: [] }), id: 1 };
  const log = (...more: readonly ShownEvent[]): readonly Happening[] =>
    [{ event: "offer-shown", offer: own, edited: false } as const, ...more].map((event) => ({
      seq: 1,
      at: 0,
      event,
    }));
  const gone = { event: "offer-withdrawn", offer: 1 } as const;
  const counter: TradedShown = { ...traded(2, 1, 0), maker_hand: [8] };
  expect(fellAway(1, log(counter, gone))).toBe(0);
  expect(fellAway(1, log(gone))).toBeNull();
  expect(fellAway(1, log({ ...counter, maker_hand: [9] }, gone))).toBeNull();
  expect(fellAway(1, log({ ...counter, partner: 2 }, gone))).toBeNull();
  const { table, hear } = followed(own, COUNTER);
  hear({ by: 0, events: [{ event: "offer-shown", offer: own, edited: false }] }, own, COUNTER);
  hear({ by: 0, events: [counter] }, own);
  hear({ by: 0, events: [gone] });
  const was = trade(own);
  const [fate] = goneOffers(was, table.view, batch({ events: [gone] }), table.log);
  expect(fate === undefined ? "" : farewell(fate, table)).toBe("have got it through another offer.");
  expect(recentLines(table, 1).map(({ text }) => text)).toEqual([
    "Offer 1 is off: you have got the same through another offer.",
  ]);
});

test("an offer whose beans went elsewhere is told in a whole sentence, each maker in one of his own", () => {
  const [one, other] = [offer({ id: 1, maker: 1, hand: [8] }), offer({ id: 2, maker: 2, hand: [8] })];
  const { table, page, hear } = followed(one, other);
  const away = { ...traded(7, 1, 2), maker_hand: [8], partner_hand: [8] } as const;
  hear({ by: 2, events: [away, { event: "offer-voided", offer: 1 }, { event: "offer-voided", offer: 2 }] });
  const had = "traded away what was offered (blue bean)";
  expect(missedText(page.missed, table)).toBe(`Offers gone: Bert has ${had}. Chiyo has ${had}.`);
});

test("gone offers of several reasons are told in few words where there is little room", () => {
  const [one, other] = [offer({ id: 1 }), offer({ id: 2, maker: 2 })];
  const { table, page, hear } = followed(one, other);
  hear({ by: 1, events: [{ event: "offer-withdrawn", offer: 1 }] }, other);
  expect(missedText(page.missed, table, true)).toBe("Offer gone: Bert has taken the offer back.");
  hear({ by: 1, view: { phase: { phase: "plant-traded" } } });
  expect(missedText(page.missed, table, true)).toMatch(/^Offers gone: Bert and \S+$/u);
});

test("whoever has traded himself is not told what fell by it", () => {
  const [one, own] = [offer({ id: 1 }), offer({ id: 2, maker: 0, to: [1] })];
  const { page, hear } = followed(one, own);
  hear({ by: 1, events: [traded(2, 0, 1), { event: "offer-voided", offer: 1 }] });
  expect(page.missed).toEqual([]);
});

test("beside an exchange of the viewer's own only that stands where offers were", () => {
  const [fell, done] = [offer({ id: 1 }), offer({ id: 2, maker: 0, to: [1] })];
  const all = goneOffers(
    trade(fell, done),
    trade(),
    batch({ events: [traded(2, 0, 1), { event: "offer-voided", offer: 1 }] }),
  );
  expect(toldOf(all, 0).map((gone) => gone.offer.id)).toEqual([2]);
  expect(toldOf(all, 2).map((gone) => gone.offer.id)).toEqual([1, 2]);
});

test("that trading is over stands at no offer", () => {
  const [mine, theirs] = [offer({ id: 1, maker: 0, to: [1] }), offer({ id: 2 })];
  const all = goneOffers(
    trade(mine, theirs),
    trade(),
    batch({ events: [{ event: "trading-closed", player: 1 }] }),
  );
  expect(all.map(({ why }) => why)).toEqual(["closed", "closed"]);
  expect(toldOf(all, 0)).toEqual([]);
});

test("what became of offers is told for a short time once the trading is over", async () => {
  const { page, hear } = followed(offer({ id: 1 }));
  hear({ by: 1, view: { phase: { phase: "plant-traded" } } });
  expect(page.missed).toHaveLength(1);
  dispatchEvent(new Event("pointermove"));
  await vi.advanceTimersByTimeAsync(MISSED_AFTER_MS + 100);
  expect(page.missed).toEqual([]);
});

test("whoever goes on himself is told no more what became of offers that had waited", () => {
  const { page, hear } = followed(offer({ id: 1 }), offer({ id: 2, maker: 2 }));
  hear({ by: 1, events: [{ event: "offer-withdrawn", offer: 1 }] }, offer({ id: 2, maker: 2 }));
  expect(page.missed).toHaveLength(1);
  hear({ by: 0 }, offer({ id: 2, maker: 2 }));
  expect(page.missed).toEqual([]);
});

test("nothing is told of what the viewer has done himself, nor of what did not wait for him", () => {
  const [mine, others] = [offer({ id: 1 }), offer({ id: 2, maker: 2, to: [1] })];
  const { page, hear } = followed(mine, others);
  hear({ by: 0, events: [traded(1, 1, 0)] }, others);
  hear({ by: 2, events: [{ event: "offer-withdrawn", offer: 2 }] });
  expect(page.missed).toEqual([]);
});

test.each([
  { what: "a gift", hand: [3], want: [], says: "Bert → Chiyo" },
  { what: "a request", hand: [], want: [3], says: "Chiyo → Bert" },
  { what: "an exchange", hand: [3], want: [5], says: "Bert ⇄ Chiyo" },
] as const)("of $what it is told in which way cards went", ({ hand, want, says }) => {
  const { table } = followed();
  const gone = { offer: offer({ hand, face_up: [], want }), why: "traded", beans: [], partner: 2 } as const;
  expect(partiesOf(gone, table)).toBe(says);
});
