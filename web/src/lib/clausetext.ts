/** Clauses of the rules as text for the reader: without the keys by which programs name house rules. */
import type { ClauseInfo } from "../generated/protocol";
import { has, t } from "./i18n.svelte";

const RULE = /\b([a-z_]+)=([a-z_0-9:]+)/g;

/** Return the text of a clause with what a house rule says where the clause names it by its key, `closing=active`. */
export function withRuleTexts(text: string, ruleText: (key: string, value: string) => string | null): string {
  return text.replaceAll(RULE, (named: string, key: string, value: string) => ruleText(key, value) ?? named);
}

/** Return the text of a clause as people read it. */
export function clauseText(clause: Pick<ClauseInfo, "text">): string {
  return withRuleTexts(clause.text, (key, value) => {
    const policy = `policy.${key}.${value}`;
    return has(policy) ? t("reader.rule", { rule: t(policy) }) : null;
  });
}
