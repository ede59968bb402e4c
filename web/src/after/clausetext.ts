/** Clauses of the rules as text for the reader, with the titles of their sections. */
import type { ClauseInfo } from "../generated/protocol";
import { has, t } from "../lib/i18n.svelte";
import { withRuleTexts } from "./rulebook";

/** Return the text of a clause as people read it. */
export function clauseText(clause: ClauseInfo): string {
  return withRuleTexts(clause.text, (key, value) => {
    const policy = `policy.${key}.${value}`;
    return has(policy) ? t("reader.rule", { rule: t(policy) }) : null;
  });
}

/** Return the title of a subject of the rules. */
export function sectionText(section: string): string {
  const key = `section.${section}`;
  return has(key) ? t(key) : section;
}
