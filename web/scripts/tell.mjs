// Writes events as sentences, as the page does. Reads tables from standard input, a JSON array of { language, seat,
// user, names, people, game, events, remarks }, and writes the sentences of each:
// `npm run --silent tell < tables.json`.
import { text } from "node:stream/consumers";
import { createServer } from "vite";

globalThis.document = { documentElement: {} };

const vite = await createServer({
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  appType: "custom",
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
});
const { loadLanguage } = await vite.ssrLoadModule("/src/lib/i18n.svelte.ts");
const { TableModel } = await vite.ssrLoadModule("/src/lib/model.svelte.ts");
const { remarkText, eventText } = await vite.ssrLoadModule("/src/lib/sentences.ts");

const told = [];
for (const { language, seat, user, names, people, game, events, remarks } of JSON.parse(
  await text(process.stdin),
)) {
  await loadLanguage(language);
  const table = new TableModel();
  Object.assign(table, { seat, user, names });
  table.show({ seq: 0, room: null, game, people, worth: [], clocks: [], choices: null }, []);
  told.push([
    ...events.map((event) => eventText({ event }, table)),
    ...remarks.map((remark) => remarkText(remark, table)),
  ]);
}
await vite.close();
process.stdout.write(JSON.stringify(told));
