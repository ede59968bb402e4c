import { t } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { listed, nameOf } from "../lib/names";
import { beanText } from "../lib/sentences";
import type { Known } from "../tray/wanted";

/** Return a kind with all that everybody can see of it: where it grows, who can spare it, who wants it. */
export function knownText(known: Known, table: TableModel): string {
  const names = (seats: readonly number[]): string => listed(seats.map((seat) => nameOf(table, seat)));
  const parts = [
    known.mine ? t("tray.grows-here") : "",
    known.spare.length > 0 ? t("tray.to-spare", { names: names(known.spare) }) : "",
    known.growing.length > 0 ? t("tray.grows-there", { names: names(known.growing) }) : "",
    known.wanting.length > 0 ? t("tray.wanted-there", { names: names(known.wanting) }) : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? beanText(known.bean) : `${beanText(known.bean)} (${parts.join("; ")})`;
}
