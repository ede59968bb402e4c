/** What is said of an offer that is gone: whose it was, and why. */
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { listed, nameOf } from "../../lib/names";
import { offerType } from "../../lib/sentences";
import { kindsWord } from "../texts";
import { given, type GoneOffer } from "./offers";

/** Return whose offer it was, and who traded: in which way cards went, where they went in one only. */
export function partiesOf({ offer, partner }: GoneOffer, table: TableModel): string {
  const name = (seat: number): string => (seat === table.seat ? t("words.your-name") : nameOf(table, seat));
  if (partner === null) return name(offer.maker);
  const [maker, taker] = [name(offer.maker), name(partner)];
  switch (offerType(given(offer), offer.want)) {
    case "gift":
      return `${maker} → ${taker}`;
    case "ask":
      return `${taker} → ${maker}`;
    default:
      return `${maker} ⇄ ${taker}`;
  }
}

/** Return why it is gone, in the words that follow those parties and the gap of the language. */
export function farewell(gone: GoneOffer, table: TableModel): string {
  return gone.why === "card-gone" && gone.beans.length > 0
    ? t("tray.gone-beans", {
        you: gone.offer.maker === table.seat ? "yes" : "no",
        beans: kindsWord(gone.beans),
      })
    : gone.why === "withdrawn" || gone.why === "answered"
      ? t(`tray.gone-${gone.why}`, { you: gone.offer.maker === table.seat ? "yes" : "no" })
      : t(`tray.gone-${gone.why}`);
}

/**
 * Return what became of offers that had waited for the viewer's answer, or for one to his own until the trading ended;
 * `""` where there are none. In few words it is
 * whose they were, where they have gone for several reasons.
 */
export function missedText(missed: readonly GoneOffer[], table: TableModel, few = false): string {
  if (missed.length === 0) return "";
  const own = missed.filter(({ offer, why }) => offer.maker === table.seat && why === "closed");
  if (own.length > 0) {
    const names = listed([
      ...new Set(own.flatMap(({ offer }) => offer.to.map((seat) => nameOf(table, seat)))),
    ]);
    const others = missedText(
      missed.filter((one) => !own.includes(one)),
      table,
      few,
    );
    return `${t("tray.lapsed", { names })} ${others}`.trim();
  }
  const partners = new Map<number, Set<string>>();
  const reasons = new Map<string, { readonly why: string; readonly parties: Set<string> }>();
  for (const gone of missed) {
    const { offer, partner } = gone;
    if (partner !== null) {
      partners.set(offer.maker, (partners.get(offer.maker) ?? new Set()).add(nameOf(table, partner)));
      continue;
    }
    const why = farewell(gone, table);
    const who = partiesOf(gone, table);
    // whoever has done something has a sentence of his own
    const did = gone.why === "withdrawn" || gone.why === "answered" || gone.beans.length > 0;
    const key = did ? `${who} ${why}` : why;
    reasons.set(key, { why, parties: (reasons.get(key)?.parties ?? new Set()).add(who) });
  }
  if (few && partners.size + reasons.size > 1) {
    const makers = [...new Set(missed.map(({ offer }) => nameOf(table, offer.maker)))];
    return t("table.say.missed", { count: missed.length, what: listed(makers) });
  }
  const traded = [...partners].map(([maker, names]) =>
    t("tray.missed-traded", { name: nameOf(table, maker), names: listed([...names]) }),
  );
  const told = [
    ...traded,
    ...[...reasons.values()].map(({ why, parties }) => `${listed([...parties])}${t("tray.gone-gap")}${why}`),
  ];
  const what = told
    .map((one, at) => (at + 1 === told.length || /[.。]$/u.test(one) ? one : `${one};`))
    .join(" ");
  return t("table.say.missed", { count: missed.length, what });
}
