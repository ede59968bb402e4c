/** The start of the page: loads the texts, puts the drawings into the document, shows the app. */
import { mount } from "svelte";
import sprite from "virtual:sprite";
import App from "./App.svelte";
import { loaders as refusals } from "virtual:catalogs/refusals";
import { loadFurther, loadLanguage, wanted } from "./lib/i18n.svelte";
import { reloadOnce } from "./lib/reload";
import "./styles/tokens.css";
import "./styles/base.css";

/** How long, in ms, until texts that could not be loaded are asked for again. */
const AGAIN = 2000;

addEventListener("vite:preloadError", () => void reloadOnce());

/** Put all drawings into the document once; parts show them with `<use>`. */
function insert(sheet: string): void {
  const parsed = new DOMParser().parseFromString(sheet, "image/svg+xml").documentElement;
  parsed.setAttribute("width", "0");
  parsed.setAttribute("height", "0");
  parsed.setAttribute("aria-hidden", "true");
  parsed.classList.add("hidden");
  document.body.prepend(document.importNode(parsed, true));
}

insert(sprite);
const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

/** Show the page as soon as there are texts; without any it could say nothing. */
async function begin(root: HTMLElement): Promise<void> {
  while (!(await loadLanguage(wanted()))) await new Promise((done) => setTimeout(done, AGAIN));
  mount(App, { target: root });
  void loadFurther(refusals);
}

void begin(target);
