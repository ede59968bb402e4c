/** The texts of the page in the reader's language: loading a catalog, and filling in parameters. */
import { IntlMessageFormat, type Formatters } from "intl-messageformat";
import { loaders } from "virtual:catalogs";
import type { Key } from "../generated/keys";
import { parameters, reworded, type Pattern } from "./patterns";
import { settings } from "./settings.svelte";

/** A word that can be said in any grammatical form; the form `""` is the word as it is. */
export type Inflected = (form: string) => string;

/** What a text is given; of a word that has forms it takes the one that it names, `{bean_acc}` (docs/narration.md). */
export type Params = Readonly<Record<string, string | number | boolean | null | undefined | Inflected>>;

const FALLBACK = "en";

/** A language that no catalog has: English made 40 % longer, to see where texts do not fit. */
export const PSEUDO = "en-XA";

/** What a text is made of, in the words of the library. */
type MessageParts = ConstructorParameters<typeof IntlMessageFormat>[0];

interface Texts {
  readonly language: string;
  readonly texts: Readonly<Record<string, Pattern>>;
}

let current: Texts = $state.raw({ language: FALLBACK, texts: {} });
const formats = new Map<string, IntlMessageFormat>();

// every tag that texts are asked in is one of a catalog: to look for it among all that the browser knows costs 30 ms
IntlMessageFormat.resolveLocale = (tags): Intl.Locale => new Intl.Locale(String(tags));
const names = new Map<string, readonly string[]>();

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

/** The language in which others than the catalogs are asked: numbers, clauses. */
export function locale(): string {
  return current.language === PSEUDO ? FALLBACK : current.language;
}

/** The language of dates, as it is written in the reader's own country where that is known: 24/12 or 12/24. */
export function region(): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === locale()) ?? locale();
}

let asked = 0;
const further = new Set<typeof loaders>();

let latest: Promise<boolean> = Promise.resolve(true);

/** Load further texts as well, from now on; returns whether they are there, though others are asked for meanwhile. */
export async function loadFurther(more: typeof loaders): Promise<boolean> {
  further.add(more);
  latest = loadLanguage(wanted());
  let mine: Promise<boolean>;
  let there: boolean;
  do {
    mine = latest;
    there = await mine;
  } while (mine !== latest);
  return there;
}

/**
 * Load the texts of a language, and show them; returns whether they are shown. Every catalog has every key, so no
 * other one is loaded.
 * If they cannot be had, or another language was asked for meanwhile, what is shown stays.
 */
export async function loadLanguage(tag: string): Promise<boolean> {
  asked += 1;
  const turn = asked;
  const known = loaders[tag] === undefined ? FALLBACK : tag;
  const found = await textsOf(known);
  if (found === null || turn !== asked) return false;
  formats.clear();
  names.clear();
  current =
    tag === PSEUDO ? { language: PSEUDO, texts: stretched(found) } : { language: known, texts: found };
  document.documentElement.lang = known;
  return true;
}

async function textsOf(known: string): Promise<Texts["texts"] | null> {
  try {
    const parts = await Promise.all([loaders, ...further].map((part) => part[known]?.()));
    return Object.assign({}, ...parts.map((part) => part?.default)) as Texts["texts"];
  } catch {
    return null; // no connection
  }
}

/** Tell whether there is a text for a key that was put together. */
export function has(key: string): key is Key {
  return key in current.texts;
}

/** Return the key of a text in a grammatical form, `bean.soy_acc`, or the key itself where the language has none. */
export function inForm(key: Key, form: string): Key {
  const formed = `${key}_${form}`;
  return has(formed) ? formed : key;
}

/** Return what the text of a key names in braces: its parameters, perhaps a choice's word too. */
export function named(key: Key): readonly string[] {
  const known = names.get(key);
  if (known !== undefined) return known;
  const found = parameters(current.texts[key] ?? "");
  names.set(key, found);
  return found;
}

/** Return what a text names, each word in the form that it names; a word without forms is said as it is. */
function inForms(key: Key, params: Params): Params {
  const said: Record<string, Params[string]> = { ...params };
  for (const name of named(key)) {
    const [plain = "", form = ""] = name.split("_");
    const word = params[name] ?? params[plain];
    if (word !== undefined) said[name] = typeof word === "function" ? word(form) : word;
  }
  return said;
}

/** Return the text of a key in the language shown; a key that nobody knows is shown in brackets. */
export function t(key: Key, params?: Params): string {
  const pattern = current.texts[key];
  if (typeof pattern === "string") return pattern;
  try {
    const found = formatOf(key, pattern)?.format((params && inForms(key, params)) as Record<string, string>);
    return found === undefined ? `[${key}]` : String(found);
  } catch {
    return `[${key}]`; // a parameter is missing; the game goes on
  }
}

/** What numbers and plurals are said with: one of each for all texts, where the library makes one for each text. */
const formatters: Formatters = {
  getNumberFormat: shared(Intl.NumberFormat),
  getDateTimeFormat: shared(Intl.DateTimeFormat),
  getPluralRules: shared(Intl.PluralRules),
};

/** Return a function that makes one thing for each tag and its options, once. */
function shared<Options, Made>(
  make: new (tag?: string | string[], options?: Options) => Made,
): (tag?: string | string[], options?: Options) => Made {
  const made = new Map<string, Made>();
  return (tag, options) => {
    const asked = JSON.stringify([tag, options]);
    const found = made.get(asked) ?? new make(tag, options);
    made.set(asked, found);
    return found;
  };
}

function formatOf(key: string, pattern: Pattern | undefined): IntlMessageFormat | undefined {
  const known = formats.get(key);
  if (known !== undefined || pattern === undefined) return known;
  const made = new IntlMessageFormat(pattern as MessageParts, locale(), undefined, { formatters });
  formats.set(key, made);
  return made;
}

const WIDER: Record<string, string> = {
  a: "åå",
  e: "éé",
  i: "ïï",
  o: "öö",
  u: "üü",
  A: "ÅÅ",
  E: "ÉÉ",
  I: "ÏÏ",
  O: "ÖÖ",
  U: "ÜÜ",
};

/** The letters that stand for a kind are two in every language. */
const MARKS = "table.mark.";

/** Return texts with wider words; the names of parameters are left alone. */
function stretched(texts: Texts["texts"]): Texts["texts"] {
  const wide = (words: string): string => words.replace(/[aeiou]/gi, (letter) => WIDER[letter] ?? letter);
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, key.startsWith(MARKS) ? text : reworded(text, wide)]),
  );
}
