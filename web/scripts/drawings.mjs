// Writes docs/drawings.svg, the sheet of all drawings: `node web/scripts/drawings.mjs`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ART = join(import.meta.dirname, "../src/art");
const SHEET = join(import.meta.dirname, "../../docs/drawings.svg");
const WIDTH = 1200;
const PAPER = "#faf5ea";

/** Return a drawing as a nested SVG at a place, its ids made its own. */
function drawing(folder, name, id, x, y, width, height) {
  const text = readFileSync(join(ART, folder, `${name}.svg`), "utf8");
  const [, attributes, body] = /^<svg([^>]*)>([\s\S]*)<\/svg>\s*$/.exec(text);
  const own = body
    .replace(/\bid="([^"]+)"/g, `id="${id}-$1"`)
    .replace(/href="#([^"]+)"/g, `href="#${id}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${id}-$1)`);
  const others = attributes.replace(/ xmlns="[^"]*"/, "");
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}"${others}>${own}</svg>`;
}

const names = (folder) =>
  readdirSync(join(ART, folder))
    .filter((file) => file.endsWith(".svg"))
    .map((file) => file.slice(0, -4));
const parts = [];
let y = 20;

names("beans").forEach((name, index) => {
  const [x, top] = [20 + (index % 4) * 295, y + Math.floor(index / 4) * 300];
  parts.push(drawing("beans", name, `b${index}`, x, top, 240, 240));
  parts.push(
    `<g filter="url(#black)">${drawing("beans", name, `s${index}`, x + 246, top + 200, 24, 24)}</g>`,
  );
});
y += 3 * 300;

["logo", "mark", "coin", "coin-back", "card-back", "bonus-back", "bonus-front"].forEach((name, index) => {
  parts.push(
    drawing(
      "",
      name,
      `p${index}`,
      20 + index * 165 + (index > 0 ? 60 : 0),
      y,
      index === 0 ? 208 : 120,
      index === 0 ? 80 : 120,
    ),
  );
});
y += 150;

parts.push(`<rect x="0" y="${y}" width="${WIDTH}" height="170" fill="#5b4636"/>`);
["soil", "sprout", "rows", "harvest", "gate"].forEach((name, index) => {
  const ground =
    name === "gate" ? `<rect x="${index * 238}" y="${y}" width="260" height="170" fill="${PAPER}"/>` : "";
  parts.push(ground, drawing("fields", name, `f${index}`, 10 + index * 238, y + 25, 228, 120));
});
y += 200;

names("icons").forEach((name, index) => {
  parts.push(
    drawing("icons", name, `i${index}`, 24 + (index % 16) * 73, y + Math.floor(index / 16) * 60, 36, 36),
  );
});
y += Math.ceil(names("icons").length / 16) * 60 + 10;

const black =
  '<filter id="black"><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 1 0"/></filter>';
writeFileSync(
  SHEET,
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" color="#2d2a26">`,
    `<defs>${black}</defs><rect width="100%" height="100%" fill="${PAPER}"/>\n${parts.join("\n")}\n</svg>\n`,
  ].join(""),
);
