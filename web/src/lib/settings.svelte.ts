/** What the user has set on this device: language, sound, theme and the like. */

/** What a person has chosen on this device. */
interface Settings {
  theme: "auto" | "light" | "dark";
  language: string;
  name: string;
  sound: boolean;
  volume: number;
  motion: "auto" | "less" | "full";
  /** Whether the front of the hand lies on the right. */
  mirror: boolean;
  /** How long an own planting can be taken back, in ms; 0 sends it at once. */
  takeBack: number;
  /** Whether letters on the keyboard act. */
  keys: boolean;
  /** Whether hints are shown in the first games. */
  hints: boolean;
  /** Whether what computer players say is shown. */
  talk: boolean;
  /** Whether the table is shown as text for screen readers. */
  linear: boolean;
  /** What is not shown again: hints, the offer of a first game. */
  seen: readonly string[];
}

const KEY = "bohn.settings";

const phone = globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

const USUAL: Settings = {
  theme: "auto",
  language: "",
  name: "",
  sound: !phone,
  volume: 0.5,
  motion: "auto",
  mirror: false,
  takeBack: 2000,
  keys: true,
  hints: true,
  talk: true,
  linear: false,
  seen: [],
};

function read(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return USUAL;
  }
}

/** The settings of this device; every change is stored by `saveSettings`. */
export const settings: Settings = $state(read());

/** Store every change, and put theme and motion on the document; called once by the page. */
export function saveSettings(): void {
  $effect(() => {
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // without storage they last as long as the page
    }
  });
  $effect(() => {
    document.documentElement.dataset["theme"] = settings.theme;
    document.documentElement.dataset["motion"] = settings.motion;
  });
}

/** Whether things may move. */
export function moves(): boolean {
  if (settings.motion !== "auto") return settings.motion === "full";
  return !(globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false);
}

/** Tell whether something is not to be shown again. */
export function wasSeen(what: string): boolean {
  return settings.seen.includes(what);
}

/** Do not show something again. */
export function markSeen(what: string): void {
  if (!wasSeen(what)) settings.seen = [...settings.seen, what];
}
