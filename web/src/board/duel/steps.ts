/** The steps of a turn in the games for two, as the list above the middle of the board shows them. */
import type { AnyCommand, Step, View } from "../../generated/protocol";
import { has, t } from "../../lib/i18n.svelte";

/** Return which of the steps it is now, -1 for none of them. */
export function stepNow(view: View): number {
  return view.steps.findIndex((step) => step.phase === view.phase.phase);
}

/** Return what a step is called. */
export function stepText(step: Step): string {
  const key = `duel.step.${step.name}`;
  return has(key) ? t(key) : step.name; // of a newer server
}

/** Return what happens in a step. */
export function stepHint(step: Step): string {
  const key = `duel.step-hint.${step.name}`;
  return has(key) ? t(key) : "";
}

/** Return the command that stands for a step, to ask why it is not legal now. */
export function commandOf(step: Step, view: View, player: number): AnyCommand {
  const name = step.command as AnyCommand["do"];
  switch (name) {
    case "plant":
    case "plant-gift":
      return { do: name, player, field: 0 };
    case "plant-set-aside":
      return { do: name, player, place: 0, field: 0 };
    case "discard-leftover":
      return { do: name, player, place: 0 };
    case "discard-from-hand":
      return {
        do: name,
        player,
        copy: [0, view.own?.hand[0] ?? 0],
        hand_revision: view.own?.hand_revision ?? 0,
      };
    default:
      return { do: name, player } as AnyCommand;
  }
}
