import { createHash } from "node:crypto";
import { join } from "node:path";
import { build, type Plugin } from "vite";

const SOURCE = join(import.meta.dirname, "../src/worker/worker.ts");
const NAME = "sw.js";

/** Texts and fonts are stored when they are used: nobody needs seven languages. */
const ON_USE = /\.(woff2|map|gz)$|\/(de|en|is|it|ja|ru|sv)-[\w-]+\.js$/;

/** Return the worker as one script: browsers load it on its own, apart from the page it shares code with. */
async function script(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      minify: true,
      target: "es2023",
      lib: { entry: SOURCE, formats: ["es"], fileName: NAME },
    },
  });
  const [bundle] = Array.isArray(made) ? made : [made];
  if (bundle === undefined || !("output" in bundle)) throw new Error(`${NAME} was not built`);
  return bundle.output[0].code;
}

/** Build the service worker, and tell it which files make up this page. */
export function worker(): Plugin {
  return {
    name: "bohn-worker",
    apply: "build",
    generateBundle: {
      order: "post", // scripts that hold nothing but styles are gone by then
      async handler(_, bundle) {
        const files = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !ON_USE.test(name));
        const shell = [
          "/",
          "/manifest.webmanifest",
          "/icons/favicon.svg",
          ...files.map((name) => `/${name}`),
        ];
        const digest = createHash("sha256").update(shell.sort().join("\n")).digest("hex").slice(0, 12);
        const source = `const SHELL=${JSON.stringify(shell)},BUILD="${digest}";\n${await script()}`;
        this.emitFile({ type: "asset", fileName: NAME, source });
      },
    },
  };
}
