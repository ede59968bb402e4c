import { mount } from "svelte";
import sprite from "virtual:sprite";
import App from "./App.svelte";
import { speak, wanted } from "./lib/i18n.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

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
void speak(wanted()).finally(() => mount(App, { target }));
