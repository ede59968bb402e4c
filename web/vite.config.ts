import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogs } from "./vite/catalogs.ts";
import { className } from "./vite/class-name.ts";
import { sprite } from "./vite/sprite.ts";
import { worker } from "./vite/worker.ts";

const SERVER = process.env["BOHN_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [catalogs(), sprite(), svelte({ compilerOptions: { cssHash: className } }), worker()],
  build: {
    outDir: "../src/bohn/server/static",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0, // the content policy allows no data: scripts, and files are cached for ever
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
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
