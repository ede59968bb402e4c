import { mount } from "svelte";
import sprite from "virtual:sprite";
import App from "./App.svelte";
import { speak, wanted } from "./lib/i18n.svelte";
import { reloadOnce } from "./lib/late";
import "./styles/tokens.css";
import "./styles/base.css";

const AGAIN = 2000;

addEventListener("vite:preloadError", () => void reloadOnce());

/** Put all drawings into the document once; parts show them with `<use>`. */
function hang(sheet: string): void {
  const parsed = new DOMParser().parseFromString(sheet, "image/svg+xml").documentElement;
  parsed.setAttribute("width", "0");
  parsed.setAttribute("height", "0");
  parsed.setAttribute("aria-hidden", "true");
  parsed.classList.add("hidden");
  document.body.prepend(document.importNode(parsed, true));
}

hang(sprite);
const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

/** Show the page as soon as there are texts; without any it could say nothing. */
async function begin(root: HTMLElement): Promise<void> {
  while (!(await speak(wanted()))) await new Promise((done) => setTimeout(done, AGAIN));
  mount(App, { target: root });
}

void begin(target);
