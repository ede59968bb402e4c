import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build, type Plugin } from "vite";
import { buildName, type Content } from "./build-name.ts";

const SOURCE = join(import.meta.dirname, "../src/worker/worker.ts");
const PUBLIC = join(import.meta.dirname, "../public");
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

/** Return the files that are served as they are, by their names. */
function publicFiles(): [string, Content][] {
  const found = readdirSync(PUBLIC, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [relative(PUBLIC, path).replaceAll(sep, "/"), readFileSync(path)]);
}

/** Build the service worker, tell it which files make up this page, and both the name of the build. */
export function worker(): Plugin {
  return {
    name: "bohn-worker",
    apply: "build",
    generateBundle: {
      order: "post", // scripts that hold nothing but styles are gone by then
      async handler(_, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("index.html was not built");
        const files = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !ON_USE.test(name));
        const shell = [
          "/",
          "/manifest.webmanifest",
          "/icons/favicon.svg",
          ...files.map((name) => `/${name}`),
        ];
        const code = await script();
        const name = buildName([
          ...Object.values(bundle).map((file): [string, Content] => [
            file.fileName,
            file.type === "chunk" ? file.code : file.source,
          ]),
          ...publicFiles(),
          [NAME, code],
        ]);
        index.source = index.source.toString().replace("<html", `<html data-build="${name}"`);
        const source = `const SHELL=${JSON.stringify(shell.sort())},BUILD="${name}";\n${code}`;
        this.emitFile({ type: "asset", fileName: NAME, source });
      },
    },
  };
}
