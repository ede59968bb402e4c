/** Why the viewer cannot take an offer, as far as it is for want of cards: which, and how many he has. */
import type { Bean, OfferView } from "../../generated/protocol";
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import { beansWord } from "../../lib/sentences";
import { faceUpOf } from "../selection";

/** Say for each kind that an offer asks for, and of which the viewer has too few, what is missing; "" if none is. */
export function lackText(offer: OfferView, table: TableModel): string {
  const own = [...(table.view?.own?.hand ?? []), ...(table.mine ? faceUpOf(table) : [])];
  const count = (beans: readonly Bean[], bean: Bean): number => beans.filter((one) => one === bean).length;
  const short = [...new Set(offer.want)].filter((bean) => count(own, bean) < count(offer.want, bean));
  const name = nameOf(table, offer.maker);
  return short
    .map((bean) =>
      t("tray.lacks", {
        name,
        want: beansWord(offer.want.filter((one) => one === bean)),
        have: count(own, bean),
      }),
    )
    .join(" ");
}
