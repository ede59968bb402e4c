/** The log in words, with what computer players said to it: each remark behind what it is about. */
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
  const heard = table instanceof LiveTable ? table.remarks : [];
  // with several workers one may have come before what it is about, or before another one
  const said = heard.filter((remark) => seqOf(remark) >= first.seq).sort((a, b) => seqOf(a) - seqOf(b));
  const lines: LogLine[] = [];
  let told = 0;
  const saidBefore = (seq: number): void => {
    for (let one = said[told]; one !== undefined && seqOf(one) < seq; one = said[(told += 1)])
      lines.push(...spoken(one, told, table));
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

const seqOf = ({ seq = 0 }: HeardRemark): number => seq;

/** Return a remark; nothing where a newer server says it in words we do not have. */
function spoken(remark: HeardRemark, place: number, table: TableModel): LogLine[] {
  const text = remarkText(remark, table);
  if (text === "") return [];
  const said = t("read.says", { name: speakerOf(table, remark), text });
  return [{ key: `said-${seqOf(remark)}-${place}`, at: remark.at, text: said, happening: null }];
}
