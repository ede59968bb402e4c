/** Opens and closes the sheets beside the table. */
import type { LayoutState, SheetName } from "../state.svelte";

/** Open a sheet, or close it where it is open. */
export function toggleSheet(layout: LayoutState, name: SheetName): void {
  layout.sheet = layout.sheet === name ? null : name;
}
