// Loads what a dealt table shows first, while there is time: whoever waits in the lobby or the waiting room has
// it when the cards come. Each part is asked for again where it is shown, so none of them may be missing for long.

import { t } from "../lib/i18n.svelte";

const PARTS = [
  () => import("../board/market/Offers.svelte"),
  () => import("../board/top/ClockFace.svelte"),
  () => import("../board/opponents/Speech.svelte"),
  () => import("../lesson/Hint.svelte"),
  () => import("../board/own/Asked.svelte"),
  () => import("../board/Flights.svelte"),
  () => import("../board/keys/keyboard"),
  () => import("../parts/Explainer.svelte"),
  () => import("../table/sounds.svelte"),
  () => import("../table/earlier"),
  () => import("../board/market/Tray.svelte"),
];

/** Load the parts one after the other; one that does not come is asked for again when it is needed. */
export async function loadDealtTable(): Promise<void> {
  for (const part of PARTS) await part().catch(() => undefined);
  t("beans.soy", { count: 2 }); // the first number that a browser says costs it 40 ms
}
