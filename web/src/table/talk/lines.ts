/** Lines of chat and ready phrases as text. */
import type { Line } from "../../generated/protocol";
import { has, t } from "../../lib/i18n.svelte";
import type { HeardRemark } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { nameOf } from "../../lib/names";
import { session } from "../../lib/session.svelte";

/** Return a ready phrase in words; one of a newer server is its key. */
export function phraseText(key: string): string {
  return has(`phrase.${key}`) ? t(`phrase.${key}` as "phrase.hello") : key;
}

/** Return a line of chat in words: as it was written, or the phrase that was chosen. */
export function lineText(line: Pick<Line, "key" | "text">): string {
  return line.key === "" ? line.text : phraseText(line.key);
}

/** Return the keys of the phrases one may choose. */
export function phrases(): readonly string[] {
  return (session.catalog?.phrases ?? []).filter((key) => has(`phrase.${key}`));
}

/** Return who made a remark: a computer player that stood in for somebody is not called by his name alone. */
export function speakerOf(
  table: TableModel,
  { seat, standIn }: Pick<HeardRemark, "seat" | "standIn">,
): string {
  const name = nameOf(table, seat);
  return standIn === true ? t("table.says-for", { name }) : name;
}
