/** The log in words, with what computer players said to it: each remark behind what had happened when it was heard. */
import { t } from "../lib/i18n.svelte";
import { LiveTable, type HeardRemark } from "../lib/live.svelte";
import type { Happening, TableModel } from "../lib/model.svelte";
import { eventText, remarkText } from "../lib/sentences";
import { speakerOf } from "./talk/lines";

/** A line of the log. */
export interface LogLine {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  /** What has happened; `null` where somebody has only said something. */
  readonly happening: Happening | null;
}

/** Return all that the page has of the log, oldest first. */
export function chronicle(table: TableModel): readonly LogLine[] {
  const first = table.log[0];
  if (first === undefined) return [];
  const said = table instanceof LiveTable ? table.remarks.filter(({ after }) => after >= first.seq) : [];
  const lines: LogLine[] = [];
  let heard = 0;
  const saidBefore = (seq: number): void => {
    for (let one = said[heard]; one !== undefined && one.after < seq; one = said[(heard += 1)])
      lines.push(...spoken(one, heard, table));
  };
  table.log.forEach((happening, index) => {
    saidBefore(happening.seq);
    const text = eventText(happening, table);
    if (text !== null && text !== "")
      lines.push({ key: `${happening.seq}-${index}`, at: happening.at, text, happening });
  });
  saidBefore(Infinity);
  return lines;
}

/** Return a remark; nothing where a newer server says it in words we do not have. */
function spoken(remark: HeardRemark, place: number, table: TableModel): LogLine[] {
  const text = remarkText(remark, table);
  if (text === "") return [];
  const said = t("read.says", { name: speakerOf(table, remark), text });
  return [{ key: `said-${remark.after}-${place}`, at: remark.at, text: said, happening: null }];
}
