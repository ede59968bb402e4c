import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import type { Plugin } from "vite";
import type { Pattern } from "../src/lib/patterns.ts";

/** Where Python keeps them; page and command line share one file a language. */
export const FOLDER = join(import.meta.dirname, "../../src/bohn/i18n/catalogs");

/** Families of keys that only the command line and the server use. */
const COMMAND_LINE = new Set([
  "alert",
  "archive",
  "admin",
  "arg",
  "ask",
  "backup",
  "board",
  "cli",
  "desk",
  "export",
  "extra",
  "help",
  "hint",
  "mail",
  "move",
  "play",
  "players",
  "rules",
  "scenarios",
  "serve",
  "simulate",
  "suggest",
  "verify",
]);

/** The columns of the table with which a game ends there; the page has names of its own for them. */
const COLUMNS = /^end\.(rank|coins|pennies|hand|trades|gifts|harvests)$/;

/** What comes later than the first load, with the page or part of a page that alone needs it. */
export const FURTHER: Readonly<Record<string, (key: string) => boolean>> = {
  operator: (key) =>
    /^(deed|operator)\.|^problem\.(everybodys-address|no-operator|out-of-range|own-self)$/.test(key) ||
    /^problem\.channel-not-offered$|^tell\.(denied|no-tls|no-push|test|test-one)$/.test(key),
  // the lobby's button, and why there are none, are seen without the sheet
  account: (key) =>
    /^account\.(?!title$|no-relying-party$|not-installed$)/.test(key) ||
    /^problem\.(handle-.*|passkey-not-valid|last-passkey|code-not-valid)$|^app\.passkey-/.test(key),
  // the lobby's buttons are seen without it
  people: (key) =>
    /^people\.(?!title$|all-games$)/.test(key) || /^problem\.(not-invitable|no-profile)$/.test(key),
  // why the server refuses something is loaded behind the first look: no answer can be earlier
  refusals: (key) => /^(problem|reason|why)\./.test(key),
  // how a deal is checked is folded away at the end of a game; whether it holds is not
  deal: (key) => /^after\.deal-(?!shown$|holds$|broken$)/.test(key),
  // the headline and names have some of them
  after: (key) => /^after\.(?!ended$|computer$|record$|deal-(?!shown$|holds$|broken$))/.test(key),
  // other games do without the words of those for two
  duel: (key) => /^duel\./.test(key),
  alerts: (key) => /^tell\.|^problem\.(channel-not-.*|zone-unknown)$/.test(key),
  away: (key) => /^away\.|^problem\.(not-over-days|order-not-valid)$/.test(key),
  days: (key) => /^days\./.test(key),
  times: (key) =>
    /^times\.|^table\.(clock-rests|rests-until|stands-until|on-holiday)$|^problem\.(hours-not-valid|holiday.*)$/.test(
      key,
    ),
  // only the waiting room and the results have them; at the table it is told in one sentence
  start: (key) => /^lobby\.head-start/.test(key),
  // what one may do, and what nothing else tells of, is told in the text view only
  linear: (key) =>
    /^read\.(do-.*|hand|front|in-offer|fields|is-legal|why-not-(harvest|take)|field-for-sale|set-aside)$/.test(
      key,
    ) ||
    /^read\.(bonus-(hand|stands|claimed|count)|beanometers|market|left-over|face-up|piles|players)$/.test(
      key,
    ),
  // the keys' sheet has one of them
  settings: (key) => /^set\.(?!keys$)/.test(key),
  // what the board says of keys stands there without the list of them
  keys: (key) => /^key\.(?!title$|gift-again$|which-|changed$)/.test(key),
  // rules are cited without their reader
  reader: (key) => /^reader\.(?!rule$|tab$)|^section\./.test(key),
  replay: (key) => /^replay\./.test(key),
  mailed: (key) => /^mailed\./.test(key),
  // how the lobby calls it, and the tips at other tables, are no part of the lesson
  lesson: (key) => /^lesson\.(?!title$|hint-)/.test(key),
};

/** Return whether a text belongs to a part; `""` is what the page begins with. */
function isOf(part: string, key: string): boolean {
  return part === "" ? !Object.values(FURTHER).some((holds) => holds(key)) : FURTHER[part]?.(key) === true;
}

/** Where the type of all keys is written. */
const TARGET = join(import.meta.dirname, "../src/generated/keys.ts");

const ID = "virtual:catalogs";

/** Return the languages that have a catalog, sorted. */
export function languages(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => basename(name, ".json"))
    .sort();
}

/** Return the part of a catalog that the page may use. */
export function pagePart(language: string): Record<string, string> {
  const all = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), "utf8")) as Record<string, string>;
  // where the page has words of its own for a refusal, those of the command line are never read there
  const isTold = (key: string): boolean => key.startsWith("reason.") && key.replace("reason", "why") in all;
  const isTyped = (key: string): boolean =>
    COMMAND_LINE.has(key.split(".")[0] ?? "") || COLUMNS.test(key) || isTold(key);
  return Object.fromEntries(Object.entries(all).filter(([key]) => !isTyped(key)));
}

/** Return a text as the page reads it: taken apart here, so that the page needs no parser. */
export function pattern(text: string): Pattern {
  const parts = new IntlMessageFormat(text, "en", undefined, {
    ignoreTag: true,
    captureLocation: false,
  }).getAst();
  const [only] = parts;
  return only === undefined ? "" : parts.length === 1 && only.type === 0 ? only.value : (parts as Pattern);
}

/** Write the type of all keys of the page, so that a text that does not exist does not compile. */
export function writeKeys(): void {
  const keys = Object.keys(pagePart("en")).sort();
  const body = keys.map((key) => `  | ${JSON.stringify(key)}`).join("\n");
  const about = "Every key of the catalogs that the page may use; made from en.json by vite/catalogs.ts.";
  const text = `/* eslint-disable */\n/** ${about} */\nexport type Key =\n${body};\n`;
  let before = "";
  try {
    before = readFileSync(TARGET, "utf8");
  } catch {
    // it was never written
  }
  if (before !== text) writeFileSync(TARGET, text);
}

/** Serve each language's texts as modules of their own, one for each part, loaded when they are wanted. */
export function catalogs(): Plugin {
  return {
    name: "bohn-catalogs",
    buildStart() {
      writeKeys();
      for (const language of languages()) this.addWatchFile(join(FOLDER, `${language}.json`));
    },
    resolveId: (id) => (id === ID || id.startsWith(`${ID}/`) ? `\0${id}` : undefined),
    load(id) {
      if (id !== `\0${ID}` && !id.startsWith(`\0${ID}/`)) return undefined;
      const [first = "", second = ""] = id.slice(ID.length + 2).split("/"); // a part, or a language and its part
      return first === "" || first in FURTHER ? loaders(first) : textsOf(first, second);
    },
  };
}

/** Return a module with a loader for each language, of a part of its texts. */
function loaders(part: string): string {
  const further = part === "" ? "" : `/${part}`;
  const entries = languages().map((l) => `${JSON.stringify(l)}: () => import("${ID}/${l}${further}")`);
  return `export const loaders = { ${entries.join(", ")} };`;
}

/** Return a module with a part of the texts of a language. */
function textsOf(language: string, part: string): string {
  const texts = Object.entries(pagePart(language))
    .filter(([key]) => isOf(part, key))
    .map(([key, text]) => [key, pattern(text)]);
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(texts)))});`;
}
