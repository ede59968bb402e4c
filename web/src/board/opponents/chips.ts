/** Whether the other players are drawn as chips or as panels. */
import type { TableModel } from "../../lib/model.svelte";
import { size } from "../size.svelte";

/** Tell whether there is only room for chips; with few players whole panels fit on a phone too. */
export function areChips({ others, view }: TableModel): boolean {
  return size.narrow && (others.length > 2 || (view?.rules.bonus_hand ?? 0) > 0);
}
