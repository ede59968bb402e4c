// Says what the coach of a lesson says. Reads games from standard input, a JSON array of { lesson, larger, moments }
// whose moments are { view, seat, worth }, and writes for each what is said at every moment, `null` where nothing is:
// { step, text, params, at, words }, in English. What is only to be read counts as read, as soon as it was said.
// `npm run --silent coach < games.json`.
import { text } from "node:stream/consumers";
import { createServer } from "vite";

globalThis.document = { documentElement: {} };

const vite = await createServer({
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  appType: "custom",
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
});
const { loadLanguage, t } = await vite.ssrLoadModule("/src/lib/i18n.svelte.ts");
const { follow, stepsOf } = await vite.ssrLoadModule("/src/lesson/steps.ts");
await loadLanguage("en");

const NOTHING = { hand: [], faceUp: [], want: [] };
const NAMES = ["You", "Anna", "Bert"];

function* lines({ lesson, larger, moments }) {
  const steps = stepsOf(lesson);
  let progress = { at: 0, said: false };
  for (const moment of moments) {
    const found = follow(steps, progress, { ...moment, ...NOTHING, larger, nameOf: (seat) => NAMES[seat] });
    const { step, say } = found;
    progress =
      say !== null && step.kind !== "do" && step.name !== "goodbye"
        ? { at: found.at + 1, said: false }
        : found.progress;
    yield say === null
      ? null
      : {
          step: step.name,
          text: say.text,
          params: say.params ?? {},
          at: say.at,
          words: t(say.text, say.params),
        };
  }
}

const said = JSON.parse(await text(process.stdin)).map((game) => [...lines(game)]);
await vite.close();
process.stdout.write(JSON.stringify(said));
