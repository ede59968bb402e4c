/** The titles of the sections of the rules. */
import { has, t } from "../lib/i18n.svelte";

/** Return the title of a subject of the rules. */
export function sectionText(section: string): string {
  const key = `section.${section}`;
  return has(key) ? t(key) : section;
}
