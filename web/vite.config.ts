import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogs } from "./vite/catalogs.ts";
import { className } from "./vite/class-name.ts";
import { sprite } from "./vite/sprite.ts";
import { worker } from "./vite/worker.ts";

const SERVER = process.env["BOHN_SERVER"] ?? "http://127.0.0.1:8000";

/**
 * What comes in one file: what every page needs, what the drawn table needs beside it, and what a dealt table shows
 * just behind that (`pages/ahead.ts`). Left alone, each piece that a lazy part shares with a page is a file of its own,
 * and such small files pack worse: 5 kB more before one can play, and 25 requests once the cards are dealt.
 */
const LIBRARY =
  "i18n|days|doing|http|reasons|session|router|names|settings|offline|focus|confirm-twice|clausetext";
const PARTS = "BeanArt|Icon|Missing|Logo|keep-in-sight";
const BOARD = "market/Offers|top/ClockFace|opponents/Speech|own/Asked|Flights|keys/keyboard";
const BEHIND = `board/(${BOARD})|lesson/Hint|parts/Explainer|table/earlier`;
const TOGETHER = [
  {
    name: "base",
    test: new RegExp(
      `node_modules/(svelte|intl|@formatjs)|src/(lib/(${LIBRARY})|parts/(${PARTS})|table/clocktext|board/size)`,
    ),
    priority: 2,
  },
  { name: "table", test: /src\/(board\/Board|table\/talk\/lines)\./, priority: 1 },
  { name: "dealt", test: new RegExp(`src/(${BEHIND})\\.`) },
];

export default defineConfig({
  plugins: [catalogs(), sprite(), svelte({ compilerOptions: { cssHash: className } }), worker()],
  build: {
    outDir: "../src/bohn/server/static",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0, // the content policy allows no data: scripts, and files are cached for ever
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: TOGETHER } } },
  },
  server: { proxy: { "/api": SERVER, "/ws": { target: SERVER, ws: true } } },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"] },
  resolve: {
    // texts are taken apart when the page is built: see vite/catalogs.ts
    alias: [
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: "@formatjs/icu-messageformat-parser/no-parser.js",
      },
    ],
    ...(process.env["VITEST"] ? { conditions: ["browser"] } : {}),
  },
});
