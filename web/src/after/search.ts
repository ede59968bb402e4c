/** Finds the words of a query in the rules, without regard to case and accents. */

/** A stretch of a text, from and to, in its own letters. */
export type Range = readonly [from: number, to: number];

/** Letters that decompose into none of those people type for them. */
const PLAIN: Record<string, string> = { ß: "ss", æ: "ae", ø: "o", ð: "d", þ: "th", đ: "d", ł: "l", ı: "i" };

/** Marks that are dropped; those of Japanese stay, for there they make another letter. */
const MARKS = /[\u0300-\u036f]/g;

/** A text as it is compared, and for each of its letters where it stood. */
interface Folded {
  readonly text: string;
  readonly from: readonly number[];
}

/** Fold a letter: small, without diacritics, of usual width. */
function plain(letter: string): string {
  const small = letter.normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase();
  return [...small].map((part) => PLAIN[part] ?? part).join("");
}

function folded(text: string): Folded {
  let made = "";
  const from: number[] = [];
  let at = 0;
  for (const letter of text) {
    const small = plain(letter);
    made += small;
    for (let index = 0; index < small.length; index += 1) from.push(at);
    at += letter.length;
  }
  from.push(at);
  return { text: made, from };
}

/** Return the words of a query, folded. */
export function words(query: string): readonly string[] {
  return [
    ...new Set(
      folded(query.normalize("NFKC"))
        .text.split(/[\s,;]+/)
        .filter((word) => word !== ""),
    ),
  ];
}

/** Tell whether every word stands in one of the texts. */
export function holds(texts: readonly string[], sought: readonly string[]): boolean {
  const all = texts.map((text) => folded(text).text);
  return sought.every((word) => all.some((text) => text.includes(word)));
}

/** Return where the words stand in a text, in order and without overlaps. */
export function ranges(text: string, sought: readonly string[]): readonly Range[] {
  const { text: small, from } = folded(text);
  const found: [number, number][] = [];
  for (const word of sought) {
    for (let at = small.indexOf(word); at >= 0; at = small.indexOf(word, at + word.length)) {
      const end = at + word.length;
      found.push([from[at] ?? 0, from[end] ?? text.length]);
    }
  }
  found.sort((one, other) => one[0] - other[0]);
  const merged: [number, number][] = [];
  for (const [start, end] of found) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, Math.max(end, start + 1)]);
  }
  return merged;
}

/** A part of a text, and whether it was found. */
export interface Piece {
  readonly text: string;
  readonly hit: boolean;
}

/** Cut a text where the words stand. */
export function pieces(text: string, sought: readonly string[]): readonly Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  for (const [from, to] of ranges(text, sought)) {
    if (from > at) cut.push({ text: text.slice(at, from), hit: false });
    cut.push({ text: text.slice(from, to), hit: true });
    at = to;
  }
  if (at < text.length || cut.length === 0) cut.push({ text: text.slice(at), hit: false });
  return cut;
}
