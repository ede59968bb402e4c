/** Why the viewer cannot take an offer, as far as it is for want of cards: which, and how many he has. */
import type { Bean, OfferView } from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import { beansWord } from "../../lib/sentences";
import { faceUpOf } from "../selection";
import { kindsWord } from "../texts";
import { keptOf } from "./offers";

/** A kind of which the viewer has too few cards for an offer, and how many he has. */
export interface Lack {
  readonly bean: Bean;
  readonly have: number;
}

/** Return the kinds that an offer asks for, and of which the viewer has too few. */
export function lacks(offer: OfferView, table: TableModel): readonly Lack[] {
  const own = [...(table.view?.own?.hand ?? []), ...(table.mine ? faceUpOf(table) : [])];
  const count = (beans: readonly Bean[], bean: Bean): number => beans.filter((one) => one === bean).length;
  return [...new Set(offer.want)]
    .map((bean) => ({ bean, have: count(own, bean) }))
    .filter(({ bean, have }) => have < count(offer.want, bean));
}

/**
 * Say for each kind that an offer asks for, and of which the viewer has too few, what is missing, or else that he has
 * said he keeps it; "" if neither is so.
 */
export function lackText(offer: OfferView, table: TableModel): string {
  const kept = keptOf(offer, table);
  if (kept.length > 0) return t("tray.you-keep", { beans: kindsWord(kept) });
  const name = nameOf(table, offer.maker);
  return lacks(offer, table)
    .map(({ bean, have }) =>
      t("tray.lacks", { name, want: beansWord(offer.want.filter((one) => one === bean)), have }),
    )
    .join(" ");
}
