/** What everybody knows about a kind of bean, in words, beside the button that asks for it. */
import { t } from "../../lib/i18n.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { listed, nameOf } from "../../lib/names";
import type { WantedKind } from "./wanted";

/** Return all that everybody can see of a kind: where it grows, who can spare it, who wants it. */
export function kindParts(known: WantedKind, table: TableModel): readonly string[] {
  const names = (seats: readonly number[]): string => listed(seats.map((seat) => nameOf(table, seat)));
  return [
    known.mine ? t("tray.grows-here") : "",
    known.spare.length > 0 ? t("tray.to-spare", { names: names(known.spare) }) : "",
    known.keeping.length > 0 ? t("tray.kept", { names: names(known.keeping) }) : "",
    known.growing.length > 0 ? t("tray.grows-there", { names: names(known.growing) }) : "",
    known.wanting.length > 0 ? t("tray.wanted-there", { names: names(known.wanting) }) : "",
  ].filter((part) => part !== "");
}
