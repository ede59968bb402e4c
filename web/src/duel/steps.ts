import type { AnyCommand, PhaseView, View } from "../generated/protocol";

/** One step of a turn for two. */
export interface Step {
  /** The end of its keys in the catalogs. */
  readonly name: "leftovers" | "plant" | "turn-over" | "lies" | "trade" | "gift" | "plant-gift" | "bonus";
  readonly phases: readonly PhaseView["phase"][];
  readonly clause: string;
}

const LEFTOVERS: Step = { name: "leftovers", phases: ["leftovers"], clause: "DUEL-5" };
const PLANT: Step = { name: "plant", phases: ["plant"], clause: "DUEL-7" };
const TURN_OVER: Step = { name: "turn-over", phases: ["reveal"], clause: "DUEL-8" };
const LIES: Step = { name: "lies", phases: ["plant-face-up"], clause: "DUEL-10" };
const TRADE: Step = { name: "trade", phases: ["trade"], clause: "DD-23" };
const GIFT: Step = { name: "gift", phases: ["gift"], clause: "DD-6" };
const PLANT_GIFT: Step = { name: "plant-gift", phases: ["plant-gift"], clause: "DD-12" };
const BONUS: Step = { name: "bonus", phases: ["bonus"], clause: "DD-17" };

/** Return the steps of a turn in their order. */
export function stepsOf(view: View): readonly Step[] {
  if (view.rules.game === "bean-duel") return [LEFTOVERS, PLANT, TURN_OVER, LIES];
  const trades = view.rules.trading === "also" ? [TRADE] : [];
  return [{ ...PLANT, clause: "PLANT-1" }, { ...TURN_OVER, clause: "DD-5" }, ...trades, GIFT, PLANT_GIFT, BONUS];
}

/** Return which of the steps it is now, -1 for none of them. */
export function stepNow(view: View, steps: readonly Step[]): number {
  return steps.findIndex((step) => step.phases.includes(view.phase.phase));
}

/** Return what a player would do in a step, to ask why he may not do it now. */
export function deedOf(step: Step, view: View, player: number): AnyCommand {
  const hand_revision = view.own?.hand_revision ?? 0;
  const front = view.own?.hand[0];
  switch (step.name) {
    case "leftovers":
      return { do: "discard-leftover", player, place: 0 };
    case "plant":
      if (view.rules.game !== "bean-duel" || front === undefined) return { do: "plant", player, field: 0 };
      return { do: "discard-from-hand", player, copy: [0, front], hand_revision };
    case "turn-over":
      return { do: "reveal", player };
    case "lies":
      return { do: "leave-rest", player };
    case "trade":
      return { do: "end-trading", player };
    case "gift":
      return { do: "take-gift", player };
    case "plant-gift":
      return { do: "plant-gift", player, field: 0 };
    case "bonus":
      return { do: "pass", player };
  }
}
