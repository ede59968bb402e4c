import { IntlMessageFormat } from "intl-messageformat";
import { loaders } from "virtual:catalogs";
import type { Key } from "../generated/keys";
import { settings } from "./settings.svelte";

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

const FALLBACK = "en";

/** A language that no catalog has: English made 40 % longer, to see where texts do not fit. */
export const PSEUDO = "en-XA";

interface Texts {
  readonly language: string;
  readonly own: Readonly<Record<string, string>>;
  readonly english: Readonly<Record<string, string>>;
}

let current: Texts = $state.raw({ language: FALLBACK, own: {}, english: {} });
const formats = new Map<string, IntlMessageFormat>();

/** The languages there are, as tags. */
export const LANGUAGES: readonly string[] = Object.keys(loaders);

/** Return the language to show: the chosen one, else the browser's first that there is. */
export function wanted(): string {
  const asked = settings.language !== "" ? [settings.language] : navigator.languages;
  for (const tag of asked) {
    if (tag === PSEUDO) return PSEUDO;
    const found = LANGUAGES.find((known) => known === tag || known === tag.split("-")[0]);
    if (found !== undefined) return found;
  }
  return FALLBACK;
}

/** The language that is shown. */
export function language(): string {
  return current.language;
}

/** Load the texts of a language, and show them. */
export async function speak(tag: string): Promise<void> {
  const known = loaders[tag] === undefined ? FALLBACK : tag;
  const english = Object.keys(current.english).length > 0 ? current.english : ((await loaders[FALLBACK]?.()) ?? { default: {} }).default;
  const own = tag === PSEUDO ? stretched(english) : known === FALLBACK ? english : ((await loaders[known]?.()) ?? { default: {} }).default;
  formats.clear();
  current = { language: tag === PSEUDO ? PSEUDO : known, own, english };
  document.documentElement.lang = tag === PSEUDO ? FALLBACK : known;
}

/** Tell whether there is a text for a key that was put together. */
export function has(key: string): key is Key {
  return key in current.own || key in current.english;
}

/** Return the text of a key in the language shown; a key that nobody knows is shown in brackets. */
export function t(key: Key, params?: Params): string {
  const found = formatOf(key);
  if (found === undefined) return `[${key}]`;
  try {
    return String(found.format(params as Record<string, string>));
  } catch {
    return `[${key}]`; // a parameter is missing; the game goes on
  }
}

function formatOf(key: string): IntlMessageFormat | undefined {
  const { language, own, english } = current;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const pattern = own[key] ?? english[key];
  if (pattern === undefined) return undefined;
  const locale = own[key] === undefined || language === PSEUDO ? FALLBACK : language;
  const made = new IntlMessageFormat(pattern, locale, undefined, { ignoreTag: true });
  formats.set(key, made);
  return made;
}

const WIDER: Record<string, string> = { a: "åå", e: "éé", i: "ïï", o: "öö", u: "üü", A: "ÅÅ", E: "ÉÉ", I: "ÏÏ", O: "ÖÖ", U: "ÜÜ" };

/** Return patterns with wider words; what stands in the syntax of a message is left alone. */
function stretched(patterns: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(patterns).map(([key, pattern]) => [key, wide(pattern)]));
}

function wide(pattern: string): string {
  let depth = 0;
  let text = "";
  for (const char of pattern) {
    if (char === "{") depth += 1;
    text += depth % 2 === 0 ? (WIDER[char] ?? char) : char; // odd depth: names and keywords
    if (char === "}") depth -= 1;
  }
  return text;
}
