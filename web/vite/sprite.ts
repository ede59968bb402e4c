import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

const ART = join(import.meta.dirname, "../src/art");
const ID = "virtual:sprite";

/** Return one drawing as a symbol, its ids made its own. */
function symbol(file: string, id: string): string {
  const text = readFileSync(file, "utf8")
    .replace(/<\?xml[^>]*>|<!--[\s\S]*?-->/g, "")
    .trim();
  const match = /^<svg([^>]*)>([\s\S]*)<\/svg>$/.exec(text);
  if (match === null) throw new Error(`${file}: expected one <svg> element`);
  const box = /viewBox="([^"]+)"/.exec(match[1] ?? "")?.[1] ?? "0 0 24 24";
  const painting =
    (match[1] ?? "").match(/\b(fill|stroke|stroke-width|stroke-linecap|stroke-linejoin)="[^"]*"/g) ?? [];
  const body = (match[2] ?? "")
    .replace(/\bid="([^"]+)"/g, `id="${id}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${id}-$1)`)
    .replace(/href="#([^"]+)"/g, `href="#${id}-$1"`)
    .replace(/\s*\n\s*/g, " ");
  return `<symbol id="${id}" viewBox="${box}"><g ${painting.join(" ")}>${body}</g></symbol>`;
}

/** Return all drawings of a folder as symbols `<prefix><name>`. */
function symbols(folder: string, prefix: string): string[] {
  const found = readdirSync(folder, { withFileTypes: true });
  return found.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "raster" ? [] : symbols(path, `${entry.name}-`);
    return entry.name.endsWith(".svg") ? [symbol(path, `${prefix}${basename(entry.name, ".svg")}`)] : [];
  });
}

/** All drawings as one hidden sheet that the page puts into itself once, for `<use href="#beans-red">`. */
export function sprite(): Plugin {
  return {
    name: "bohn-sprite",
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      const all = symbols(ART, "");
      return `export default ${JSON.stringify(`<svg xmlns="http://www.w3.org/2000/svg">${all.join("")}</svg>`)};`;
    },
  };
}
