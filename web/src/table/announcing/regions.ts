/** Puts sentences into the live regions that screen readers read out. */
import type { Sentence, LiveRegions } from "../state.svelte";

/** Sentences that stay in a region: a new one is read out, taking an old one out is not heard. */
const MOST = 12;

/** Say something when it is quiet. */
export function say(regions: LiveRegions, ...texts: readonly string[]): void {
  regions.polite = [...regions.polite, ...texts.map((text) => sentence(regions, text))].slice(-MOST);
}

/** Say something at once. */
export function call(regions: LiveRegions, ...texts: readonly string[]): void {
  regions.urgent = [...regions.urgent, ...texts.map((text) => sentence(regions, text))].slice(-MOST);
}

/** Empty both regions, so that nothing old is read out. */
export function clearRegions(regions: LiveRegions): void {
  regions.polite = [];
  regions.urgent = [];
}

function sentence(regions: LiveRegions, text: string): Sentence {
  regions.count += 1;
  return { key: regions.count, text };
}
