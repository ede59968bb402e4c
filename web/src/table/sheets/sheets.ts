/** Opens and closes the sheets beside the table. */
import type { LayoutState, SheetName } from "../state.svelte";

/** Open a sheet, or close it where it is open. */
export function toggleSheet(layout: LayoutState, name: SheetName): void {
  layout.soughtRule = "";
  layout.sheet = layout.sheet === name ? null : name;
}

/** Open the rules of the table at one of their clauses, which is looked for by its title as people read it. */
export function openRule(layout: LayoutState, title: string): void {
  layout.soughtRule = title;
  layout.sheet = "rules";
}
