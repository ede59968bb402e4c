import type { View } from "../generated/protocol";

/** What goes on, as far as keys are concerned: a letter means one thing in each. */
export type Scene = "plant" | "trade" | "gift" | "bonus";

/** What a key does. */
export type Deed =
  | "ticket" | "accept" | "counter" | "decline" | "which" | "edit" | "withdraw" | "pick" | "offer" | "wanted" | "close"
  | "field" | "plant" | "next" | "discard" | "reveal"
  | "kind" | "take" | "name" | "way"
  | "bonus-discard" | "bonus-draw"
  | "harvest" | "buy" | "claim" | "undo" | "wishes" | "log" | "chat" | "rules" | "settings" | "sound" | "help";

/** One key, where it holds and what it does. `1` stands for the keys from 1 to 9. */
export interface Binding {
  readonly key: string;
  readonly scenes: readonly Scene[];
  readonly deed: Deed;
  /** Whether a number follows it. */
  readonly numbered?: boolean;
}

export const SCENES: readonly Scene[] = ["plant", "trade", "gift", "bonus"];

const PLANT: readonly Scene[] = ["plant"];
const TRADE: readonly Scene[] = ["trade"];
const GIFT: readonly Scene[] = ["gift"];
const BONUS: readonly Scene[] = ["bonus"];

/** All keys that are characters, in the order in which they are told. */
export const BINDINGS: readonly Binding[] = [
  { key: "1", scenes: PLANT, deed: "field" },
  { key: "f", scenes: PLANT, deed: "plant", numbered: true },
  { key: "n", scenes: PLANT, deed: "next" },
  { key: "d", scenes: PLANT, deed: "discard" },
  { key: "t", scenes: PLANT, deed: "reveal" },
  { key: "1", scenes: TRADE, deed: "ticket" },
  { key: "a", scenes: TRADE, deed: "accept" },
  { key: "w", scenes: TRADE, deed: "which" },
  { key: "c", scenes: TRADE, deed: "counter" },
  { key: "d", scenes: TRADE, deed: "decline" },
  { key: "p", scenes: TRADE, deed: "pick" },
  { key: "e", scenes: TRADE, deed: "edit" },
  { key: "v", scenes: TRADE, deed: "withdraw" },
  { key: "o", scenes: TRADE, deed: "offer" },
  { key: "g", scenes: TRADE, deed: "wanted" },
  { key: "1", scenes: GIFT, deed: "kind" },
  { key: "n", scenes: GIFT, deed: "name" },
  { key: "w", scenes: GIFT, deed: "way" },
  { key: "a", scenes: GIFT, deed: "take" },
  { key: "1", scenes: BONUS, deed: "bonus-discard" },
  { key: "t", scenes: BONUS, deed: "bonus-draw" },
  { key: ".", scenes: SCENES, deed: "close" },
  { key: "h", scenes: SCENES, deed: "harvest", numbered: true },
  { key: "b", scenes: SCENES, deed: "buy" },
  { key: "k", scenes: SCENES, deed: "claim" },
  { key: "u", scenes: SCENES, deed: "undo" },
  { key: "i", scenes: SCENES, deed: "wishes" },
  { key: "l", scenes: SCENES, deed: "log" },
  { key: "m", scenes: SCENES, deed: "chat" },
  { key: "r", scenes: SCENES, deed: "rules" },
  { key: "s", scenes: SCENES, deed: "settings" },
  { key: "x", scenes: SCENES, deed: "sound" },
  { key: "?", scenes: SCENES, deed: "help" },
];

/** What goes on in a game, as far as keys are concerned. */
export function sceneOf(view: View | null): Scene {
  const phase = view?.phase.phase;
  return phase === "trade" || phase === "gift" || phase === "bonus" ? phase : "plant";
}

/** What a key means in a scene. */
export function meaning(key: string, scene: Scene): Binding | undefined {
  const wanted = /^[1-9]$/.test(key) ? "1" : key;
  return BINDINGS.find((binding) => binding.key === wanted && binding.scenes.includes(scene));
}

/**
 * Return the character that a key stands for. Where the layout has no Latin letters the place of the key counts, so that
 * the letters are where they stand on the keys.
 */
export function characterOf(event: Pick<KeyboardEvent, "key" | "code">): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key.length !== 1 || /[\x20-\x7e]/.test(key)) return key;
  const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1];
  return place === undefined ? key : place.toLowerCase();
}
