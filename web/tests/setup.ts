import { loaders as after } from "virtual:catalogs/after";
import { loaders as duel } from "virtual:catalogs/duel";
import { loaders as refusals } from "virtual:catalogs/refusals";
import { loadFurther } from "../src/lib/i18n.svelte";

/** What jsdom lacks and the page asks for as soon as it is loaded. */
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList;

/** Sizes are measured in browsers only: here everything is 0 px wide and stays so. */
globalThis.ResizeObserver ??= class implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

/** Nothing moves here. */
Element.prototype.animate ??= () => ({}) as Animation;

// as the page does behind its first look, at the end of a game, and in games for two
for (const part of [refusals, after, duel]) await loadFurther(part);
