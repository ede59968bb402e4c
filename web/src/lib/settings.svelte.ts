/** What a person has chosen on this device. */
interface Kept {
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
  /** What was put away for good: hints, the offer of a first game. */
  seen: readonly string[];
}

const KEY = "bohn.settings";

const phone = globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

const USUAL: Kept = {
  theme: "auto", language: "", name: "", sound: !phone, volume: 0.5, motion: "auto", mirror: false, takeBack: 2000, keys: true,
  hints: true, talk: true, linear: false, seen: [],
};

function read(): Kept {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return USUAL;
  }
}

/** The settings of this device; what is put in is kept by `keepSettings`. */
export const settings: Kept = $state(read());

/** Keep every change, and put theme and motion on the document; called once by the page. */
export function keepSettings(): void {
  $effect(() => {
    const kept = JSON.stringify(settings);
    try {
      localStorage.setItem(KEY, kept);
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

/** Tell whether something was put away for good. */
export function wasSeen(what: string): boolean {
  return settings.seen.includes(what);
}

/** Put something away for good. */
export function markSeen(what: string): void {
  if (!wasSeen(what)) settings.seen = [...settings.seen, what];
}
