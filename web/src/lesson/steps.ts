/** The steps of a lesson: what the coach says in each, where it points, and what ends it. */
import type { Bean, View } from "../generated/protocol";
import type { Worth } from "../lib/merge";
import type { Key } from "../generated/keys";
import { FIRST_GAME } from "./first-game";

/** What is different at a larger table, as its sheet of rules says. */
export interface LargerTable {
  readonly players: number;
  readonly fields: number;
  readonly price: number;
}

/** All that a step looks at. */
export interface StepContext {
  readonly view: View;
  readonly seat: number;
  readonly worth: Worth;
  /** The offer one is putting together: places in the hand and among the face-up cards, and kinds. */
  readonly hand: readonly number[];
  readonly faceUp: readonly number[];
  readonly want: readonly Bean[];
  /** The next larger table of this edition; `null` while it is not known. */
  readonly larger: LargerTable | null;
  /** What players are called. */
  readonly nameOf: (seat: number) => string;
}

/** What the coach says, and beside which things: selectors, the first that is on the page counts. */
export interface CoachLine {
  readonly text: Key;
  /** What is filled in: numbers, counted from what lies there, and the words on a button. */
  readonly params?: Readonly<Record<string, number | string>>;
  readonly at: readonly string[];
  /** A thing that is only waited for has no ring around it. */
  readonly waits?: boolean;
  /** Whether an offer is being put together for it, so that the tray may be open. */
  readonly composes?: boolean;
}

/** One thing to learn. */
export interface Step {
  readonly name: string;
  /** Whether it is done, or its chance is gone. What is being read does not ask: see {@link follow}. */
  over(now: StepContext): boolean;
  /**
   * Return what there is to say of it now, `null` while it has to wait. What is only to be read may hang on what the
   * learner himself does alone, for it is gone when nothing is said of it any more.
   */
  say(now: StepContext): CoachLine | null;
  /** Whether it goes on when it was read, is offered and may be put aside, or only ends by being done. */
  readonly kind: "read" | "offered" | "do";
  /** Whether it waits for somebody else: over once it was said and is gone, and silent while the next may speak. */
  readonly once?: true;
}

/** What is said while an offer lies open on the table's middle and hides what the step speaks of. */
export const TRAY_FIRST: CoachLine = {
  text: "lesson.tray-first",
  at: ['[data-send] + [data-key="Escape"]'],
  composes: true,
};

/** What is taught in a lesson of the catalog; nothing in one that this page does not know. */
export function stepsOf(lesson: string): readonly Step[] {
  return lesson === "first-game" ? FIRST_GAME : [];
}

/** How far the lesson is: how many steps are behind, and whether the present one was shown. */
export interface Progress {
  readonly at: number;
  readonly said: boolean;
}

/** A step that is on, its place among all, and what is said of it. */
export interface Current {
  readonly progress: Progress;
  readonly step: Step | null;
  readonly say: CoachLine | null;
  /** The place of `step`; behind that of the progress while an earlier one still waits for somebody. */
  readonly at: number;
}

/**
 * Return how far one has got: steps that are over are passed, and the first that is not speaks. While it waits for
 * somebody else, the next one may. What is being read stays until it was read, whatever the others do meanwhile.
 */
export function follow(steps: readonly Step[], progress: Progress, now: StepContext): Current {
  let { at, said } = progress;
  for (let step = steps[at]; step !== undefined; step = steps[at]) {
    const reads = said && step.kind === "read";
    const over = !reads && step.over(now);
    const say = over ? null : step.say(now);
    const missed = (reads || (step.once === true && said)) && say === null;
    if (!over && !missed) {
      const found = say === null ? meanwhile(steps, at, now) : { step, say, at };
      // what is read while another step waits is not left again for that one
      const read = found.say !== null && found.step?.kind === "read";
      const next = read ? { at: found.at, said: true } : { at, said: said || say !== null };
      return { progress: next, ...found };
    }
    at += 1;
    said = false;
  }
  return { progress: { at, said: false }, step: null, say: null, at };
}

/** Return who speaks while the step at a place is silent: itself, or the first behind it that waits for nobody. */
function meanwhile(steps: readonly Step[], from: number, now: StepContext): Omit<Current, "progress"> {
  let at = from;
  for (let step = steps[at]; step?.once === true; step = steps[at]) {
    const next = steps.findIndex((later, place) => place > at && !later.over(now));
    const say = steps[next]?.say(now) ?? null;
    if (say !== null) return { step: steps[next] ?? null, say, at: next };
    if (next < 0) break;
    at = next;
  }
  return { step: steps[from] ?? null, say: null, at: from };
}
