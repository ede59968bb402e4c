/** Offers that have just ended stay in the market for a moment, with the reason on them. */
import type { TableModel } from "../../lib/model.svelte";
import type { LayoutState } from "../state.svelte";
import { goneOffers, toldOf, trading } from "./offers";

/** How long such an offer stays, in ms: long enough to read the reason. */
const FADED = 2600;

/** Note the offers that end, and forget them once they were read. Call it during component initialisation. */
export function followGone(layout: LayoutState, table: TableModel): void {
  $effect(() =>
    table.watch({
      after(batch, was) {
        if (trading(table.view) === null) {
          layout.gone = []; // the next market may open before they were read
          return;
        }
        const faded = toldOf(goneOffers(was, table.view, batch, table.log), table.seat);
        if (faded.length === 0) return;
        layout.gone = [...layout.gone, ...faded];
        setTimeout(() => (layout.gone = layout.gone.filter((gone) => !faded.includes(gone))), FADED);
      },
    }),
  );
}
