/** What was said at a table, as its chat shows it: lines of people, and remarks of computer players. */
import type { Line } from "../../generated/protocol";
import type { HeardRemark, LiveTable } from "../../lib/live.svelte";
import { remarkText } from "../../lib/sentences";
import { speakerOf } from "./lines";

/** A line, with its number; or a remark, which nobody can delete or report. */
export type Utterance =
  | { readonly key: string; readonly at: number; readonly line: Line }
  | {
      readonly key: string;
      readonly at: number;
      readonly seat: number;
      readonly by: string;
      readonly text: string;
    };

/** Remarks that stand among the lines: the log tells all of them, and people are not to be talked down. */
const REMARKS = 100;

/** Return it in the order in which it was said, without the lines of those who are `muted`. */
export function conversation(table: LiveTable, muted: readonly string[]): readonly Utterance[] {
  const { lines } = table;
  const remarks = table.remarks.slice(-REMARKS);
  const written = lines
    .filter((line) => !muted.includes(line.user))
    .map((line): Utterance => ({ key: `line-${line.line}`, at: line.at, line }));
  return [...written, ...remarks.flatMap((remark, place) => spoken(remark, place, table))].sort(
    (one, other) => one.at - other.at,
  );
}

/** Return a remark; nothing where a newer server says it in words we do not have. */
function spoken(remark: HeardRemark, place: number, table: LiveTable): Utterance[] {
  const text = remarkText(remark, table);
  const key = `remark-${remark.at}-${remark.seat}-${place}`;
  return text === "" ? [] : [{ key, at: remark.at, seat: remark.seat, by: speakerOf(table, remark), text }];
}
