/** The table of all keys and what they do, for the keyboard and for the sheet that lists them. */
import type { Rules, View } from "../../generated/protocol";

/** What goes on, as far as keys are concerned: a letter means one thing in each. */
export type Scene = "plant" | "trade" | "gift" | "bonus";

/** What a key does. */
export type KeyAction =
  | "ticket"
  | "accept"
  | "counter"
  | "decline"
  | "which"
  | "edit"
  | "withdraw"
  | "pick"
  | "offer"
  | "wanted"
  | "close"
  | "stay"
  | "field"
  | "plant"
  | "next"
  | "discard"
  | "reveal"
  | "kind"
  | "take"
  | "name"
  | "way"
  | "bonus-discard"
  | "bonus-draw"
  | "harvest"
  | "buy"
  | "claim"
  | "undo"
  | "wishes"
  | "log"
  | "chat"
  | "rules"
  | "settings"
  | "sound"
  | "help";

/** One key, where it holds and what it does. `1` stands for the keys from 1 to 9, `0` for all digits. */
export interface Binding {
  readonly key: string;
  readonly scenes: readonly Scene[];
  readonly action: KeyAction;
  /** Whether a number follows it. */
  readonly numbered?: boolean;
}

export const SCENES: readonly Scene[] = ["plant", "trade", "gift", "bonus"];

const PLANT: readonly Scene[] = ["plant"];
const TRADE: readonly Scene[] = ["trade"];
const GIFT: readonly Scene[] = ["gift"];
const BONUS: readonly Scene[] = ["bonus"];

/** All keys that are characters, in the order of the list of keys. */
export const BINDINGS: readonly Binding[] = [
  { key: "1", scenes: PLANT, action: "field" },
  { key: "f", scenes: PLANT, action: "plant", numbered: true },
  { key: "n", scenes: PLANT, action: "next" },
  { key: "d", scenes: PLANT, action: "discard" },
  { key: "t", scenes: PLANT, action: "reveal" },
  { key: "0", scenes: TRADE, action: "ticket" },
  { key: "a", scenes: TRADE, action: "accept" },
  { key: "w", scenes: TRADE, action: "which" },
  { key: "c", scenes: TRADE, action: "counter" },
  { key: "d", scenes: TRADE, action: "decline" },
  { key: "p", scenes: TRADE, action: "pick" },
  { key: "e", scenes: TRADE, action: "edit" },
  { key: "v", scenes: TRADE, action: "withdraw" },
  { key: "o", scenes: TRADE, action: "offer" },
  { key: "g", scenes: TRADE, action: "wanted" },
  { key: "1", scenes: GIFT, action: "kind" },
  { key: "n", scenes: GIFT, action: "name" },
  { key: "w", scenes: GIFT, action: "way" },
  { key: "a", scenes: GIFT, action: "take" },
  { key: "1", scenes: BONUS, action: "bonus-discard" },
  { key: "t", scenes: BONUS, action: "bonus-draw" },
  { key: ",", scenes: TRADE, action: "stay" },
  { key: ".", scenes: SCENES, action: "close" },
  { key: "h", scenes: SCENES, action: "harvest", numbered: true },
  { key: "b", scenes: SCENES, action: "buy" },
  { key: "k", scenes: SCENES, action: "claim" },
  { key: "u", scenes: SCENES, action: "undo" },
  { key: "i", scenes: SCENES, action: "wishes" },
  { key: "l", scenes: SCENES, action: "log" },
  { key: "m", scenes: SCENES, action: "chat" },
  { key: "r", scenes: SCENES, action: "rules" },
  { key: "s", scenes: SCENES, action: "settings" },
  { key: "x", scenes: SCENES, action: "sound" },
  { key: "?", scenes: SCENES, action: "help" },
];

/** What goes on in a game, as far as keys are concerned. */
export function sceneOf(view: View | null): Scene {
  const phase = view?.phase.phase;
  return phase === "trade" || phase === "gift" || phase === "bonus" ? phase : "plant";
}

/** What of the rules says which keys a game has. */
type GameKeys = Pick<Rules, "game" | "bonus_hand" | "fields" | "max_fields">;

/** Return what can go on in a game of these rules: gifts and bonus cards are not of every game. */
export function scenesOf(rules: GameKeys | null): readonly Scene[] {
  if (rules === null) return SCENES;
  return SCENES.filter((scene) => {
    if (scene === "gift") return rules.game === "das-duell";
    return scene === "bonus" ? rules.bonus_hand > 0 : true;
  });
}

/** Return the keys that do something in a game of these rules. */
export function bindingsOf(rules: GameKeys | null): readonly Binding[] {
  if (rules === null) return BINDINGS;
  return BINDINGS.filter(({ action }) => {
    if (action === "buy") return rules.max_fields > rules.fields;
    return action === "claim" ? rules.bonus_hand > 0 : true;
  });
}

/** Return what is printed for a key: "1–9" for all numbers from 1, "0–9" for all digits. */
export function printed({ key, numbered }: Binding): readonly string[] {
  if (key === "0" || key === "1") return [`${key}–9`];
  return numbered === true ? [key, "1–9"] : [key];
}

/** What a key means in a scene. */
export function meaning(key: string, scene: Scene): Binding | undefined {
  const wanted = /^[1-9]$/.test(key) ? ["1", "0"] : [key];
  return BINDINGS.find(({ key: bound, scenes }) => wanted.includes(bound) && scenes.includes(scene));
}

/**
 * Return the character that a key stands for. Where the layout has no Latin letters the place of the key counts, so
 * that the letters are where they stand on the keys.
 */
export function characterOf(event: Pick<KeyboardEvent, "key" | "code">): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key.length !== 1 || /[\x20-\x7e]/.test(key)) return key;
  const place = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1];
  return place === undefined ? key : place.toLowerCase();
}
