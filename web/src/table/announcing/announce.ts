/** What a screen reader reads out when something happens at the table. */
import type { Batch, Bean, OfferView, ShownEvent, View } from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { fellAway } from "../../lib/fellaway";
import { nameOf } from "../../lib/names";
import { beansWord, eventText } from "../../lib/sentences";
import { goneOffers, roleOf, trading } from "../offers/offers";
import { callText, offerText } from "../phrases";

/** Something to be said. */
export interface Notice {
  readonly text: string;
  /**
   * What needs the listener is said at once, news when it is quiet, and what is only talk is left out when
   * there is much.
   */
  readonly weight: "call" | "news" | "talk";
  /** The offer it tells of: by the time it is said, that may be gone. */
  readonly offer?: Pick<OfferView, "id" | "revision">;
  /** Notices of one group that follow one another become one sentence. */
  readonly planted?: { readonly player: number; readonly bean: Bean };
}

/** What is read out, in this order. */
export interface Speech {
  readonly calls: readonly string[];
  readonly news: readonly string[];
}

/** Return what a batch has to say to the viewer; `was` is the view before it, the table shows it already. */
export function notices(batch: Batch, was: View | null, table: TableModel): Notice[] {
  const found = (batch.events ?? []).flatMap((event) => ofEvent(event, batch, was, table));
  found.push(...goneNotices(batch, was, table));
  const call = newCall(batch, was, table);
  return call === null ? found : [...found, call];
}

/** Tell whether the game has begun to wait for the viewer, and for what. */
function newCall(batch: Batch, was: View | null, table: TableModel): Notice | null {
  const { view, seat } = table;
  const text = callText(table);
  if (view === null || seat === null || text === null) return null;
  const waited =
    was !== null &&
    was.phase.phase === view.phase.phase &&
    was.turn === view.turn &&
    was.waiting.includes(seat);
  if (view.phase.phase === "trade" && view.active_player !== seat) return null; // nobody needs to hear that he may pass
  if (
    waited &&
    !(
      view.phase.phase === "plant" &&
      batch.by === seat &&
      (batch.events ?? []).some((event) => event.event === "planted")
    )
  )
    return null;
  return { text, weight: waited ? "news" : "call" };
}

/** Tell of offers to the viewer, or of his own, that are gone other than by a trade or the end of the trading. */
function goneNotices(batch: Batch, was: View | null, table: TableModel): Notice[] {
  const mine = (offer: OfferView): boolean => offer.maker === table.seat;
  const answered = was?.own?.refused ?? [];
  return goneOffers(was, table.view, batch, table.log)
    .filter(
      ({ offer, why }) =>
        (why === "withdrawn" || why === "answered" || why === "card-gone") &&
        !(mine(offer) && batch.by === table.seat && why !== "card-gone"),
    )
    .filter(
      ({ offer }) =>
        mine(offer) || (table.seat !== null && offer.to.includes(table.seat) && !answered.includes(offer.id)),
    )
    .map(({ offer, why }) => ({
      text: t("read.gone", {
        why: why === "card-gone" ? "card" : why,
        offer: offerText(offer, table),
      }),
      weight: "news" as const,
    }));
}

function ofEvent(event: ShownEvent, batch: Batch, was: View | null, table: TableModel): Notice[] {
  const { seat } = table;
  const news = (text: string | null, weight: Notice["weight"] = "news"): Notice[] =>
    text === null || text === "" ? [] : [{ text, weight }];
  const eventNews = (weight: Notice["weight"] = "news"): Notice[] =>
    news(eventText({ event, cause: batch.cause, by: batch.by }, table), weight);
  const offerNow = (id: number): OfferView | undefined =>
    trading(table.view)?.offers.find((offer) => offer.id === id) ??
    trading(was)?.offers.find((offer) => offer.id === id);
  switch (event.event) {
    case "turn-began":
      return eventNews(event.player === seat ? "call" : "news");
    case "game-ended":
    case "bonus-stood":
    case "abandoned":
      return eventNews("call");
    case "last-call-began":
      return table.mine
        ? eventNews()
        : news(t("read.last-call", { name: nameOf(table, table.view?.active_player ?? 0) }), "call");
    case "handed-over":
    case "clock-missed":
      return eventNews(event.seat === seat ? "call" : "news");
    case "offer-shown":
      return shown(event.offer, event.edited, was, table);
    case "offer-made":
    case "offer-edited":
      return news(offerOf(event.offer.id, offerNow, table));
    case "claim-shown": {
      const offer = offerNow(event.offer);
      return offer?.maker === seat
        ? news(
            t("read.claimed", { name: nameOf(table, event.player), offer: offerText(offer, table) }),
            "call",
          )
        : [];
    }
    case "claim-withdrawn":
    case "claim-voided": {
      const offer = offerNow(event.offer);
      if (event.player === seat)
        return news(event.event === "claim-voided" ? t("read.own-claim-gone") : t("read.own-claim-back"));
      return offer?.maker === seat
        ? news(t("read.claim-gone", { name: nameOf(table, event.player), offer: offerText(offer, table) }))
        : [];
    }
    case "offer-claimed":
      return news(t("read.own-claim"));
    case "offer-declined":
      return news(
        event.player === seat
          ? t("read.own-no", { name: nameOf(table, event.maker) })
          : t("read.no", { name: nameOf(table, event.player) }),
      );
    case "offer-withdrawn":
      if (batch.by !== seat) return []; // told by what is gone
      return fellAway(event.offer, table.log) === null ? news(t("read.own-offer-back")) : eventNews();
    case "offer-voided":
    case "drew-hidden":
    case "bonus-refill-shown":
    case "options-chosen":
      return [];
    case "planted":
    case "set-aside-planted":
    case "leftover-planted":
    case "face-up-planted":
    case "gift-planted":
      return eventNews().map((notice) => ({
        ...notice,
        planted: { player: event.player, bean: event.bean },
      }));
    case "wish-set":
    case "passed":
      return eventNews(event.player === seat ? "news" : "talk");
    case "promise-made":
      return eventNews(event.promise.player === seat || event.promise.to === seat ? "news" : "talk");
    case "promise-withdrawn":
    case "stood":
    case "sat":
    case "choice-called":
      return eventNews("talk");
    default:
      return eventNews();
  }
}

/** Tell of an offer to the viewer; of a changed one also if it is no longer for him. */
function shown(offer: OfferView, edited: boolean, was: View | null, table: TableModel): Notice[] {
  const role = roleOf(offer, table);
  if (role === "for-me" || role === "lacking") {
    return [
      {
        text: edited ? t("read.offer-changed", { offer: offerText(offer, table) }) : offerText(offer, table),
        weight: role === "for-me" ? "call" : "news",
        offer,
      },
    ];
  }
  const before = trading(was)?.offers.find((other) => other.id === offer.id);
  if (
    before === undefined ||
    table.seat === null ||
    !before.to.includes(table.seat) ||
    was?.own?.refused.includes(before.id) === true
  )
    return [];
  return [{ text: t("read.gone", { why: "withdrawn", offer: offerText(before, table) }), weight: "news" }];
}

function offerOf(id: number, find: (id: number) => OfferView | undefined, table: TableModel): string | null {
  const offer = find(id);
  return offer === undefined ? null : offerText(offer, table);
}

/** Offers to oneself that are read out at once; of more, only their number is. */
const OFFERS_READ = 2;

/** News that are read out at once, in sentences; of more, the last ones and how many there were before. */
const NEWS_READ = 6;

/**
 * Put what was collected together: offers that are gone again are left out, plantings of one player are one
 * sentence, a flood is cut.
 */
export function speech(collected: readonly Notice[], table: TableModel): Speech {
  const open = trading(table.view)?.offers ?? [];
  const stands = (notice: Notice): boolean =>
    notice.offer === undefined ||
    open.some((offer) => offer.id === notice.offer?.id && offer.revision === notice.offer.revision);
  const alive = collected.filter(stands);
  const calls = alive.filter((notice) => notice.weight === "call");
  const offers = calls.filter((notice) => notice.offer !== undefined);
  const read =
    offers.length > OFFERS_READ
      ? [t("read.many-offers", { count: offers.length })]
      : offers.map((notice) => notice.text);
  const others = calls.filter((notice) => notice.offer === undefined).map((notice) => notice.text);
  return {
    calls: once([...others, ...read]),
    news: cut(
      merged(
        alive.filter((notice) => notice.weight !== "call"),
        table,
      ),
    ),
  };
}

const once = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) === at);

/** Make one sentence of plantings of one player that follow one another. */
function merged(found: readonly Notice[], table: TableModel): Notice[] {
  const result: Notice[] = [];
  let beans: Bean[] = [];
  for (const notice of found) {
    const last = result.at(-1);
    const same =
      notice.planted !== undefined &&
      last?.planted !== undefined &&
      notice.planted.player === last.planted.player;
    if (!same) {
      beans = notice.planted === undefined ? [] : [notice.planted.bean];
      result.push(notice);
      continue;
    }
    const { player, bean } = notice.planted;
    beans = [...beans, bean];
    const text = t("read.plants", {
      you: player === table.seat ? "yes" : "no",
      player: nameOf(table, player),
      beans: beansWord(beans),
    });
    result[result.length - 1] = { ...notice, text };
  }
  return result;
}

/** Leave talk out where there is too much, then say how much more there was. */
function cut(found: readonly Notice[]): string[] {
  const texts = (notices: readonly Notice[]): string[] => once(notices.map((notice) => notice.text));
  if (found.length <= NEWS_READ) return texts(found);
  const news = found.filter((notice) => notice.weight === "news");
  if (news.length <= NEWS_READ) return texts(news);
  const newest = news.slice(1 - NEWS_READ);
  return [t("read.more-news", { count: news.length - newest.length }), ...texts(newest)];
}
