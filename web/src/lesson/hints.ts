/** Tips for new players: which one fits the moment and was not shown before. */
import type { View } from "../generated/protocol";
import type { Worth } from "../lib/merge";

/** The tips of the rule documents; each is the end of a catalog key. */
export type HintName = "front" | "trade" | "turn" | "surplus" | "gift";

/** What a tip depends on. */
export interface HintContext {
  readonly view: View;
  readonly seat: number;
  readonly worth: Worth;
  /** Whether an offer on the table would bring a kind that no own field would take now, as the server says. */
  readonly withoutField: boolean;
}

interface Tip {
  readonly name: HintName;
  readonly fits: (moment: HintContext) => boolean;
}

const trading = ({ view }: HintContext): boolean => view.phase.phase === "trade";
const mine = ({ view, seat }: HintContext): boolean => view.active_player === seat;
const grows = ({ view, seat }: HintContext): boolean =>
  view.players[seat]?.fields.some((field) => field.length > 1) ?? false;
const beforeMine = ({ view, seat }: HintContext): boolean =>
  (view.active_player + 1) % view.players.length === seat;

const TIPS: readonly Tip[] = [
  { name: "trade", fits: (moment) => trading(moment) && mine(moment) },
  {
    name: "surplus",
    fits: ({ worth, seat, view }) =>
      view.phase.phase !== "end" &&
      (worth[seat]?.some((field) => field !== null && field.more === 0) ?? false),
  },
  {
    name: "turn",
    fits: (moment) => trading(moment) && !mine(moment) && (moment.view.own?.hand.length ?? 0) > 3,
  },
  {
    name: "front",
    fits: (moment) => trading(moment) && beforeMine(moment) && moment.view.turn > moment.view.players.length,
  },
  {
    name: "gift",
    fits: (moment) =>
      trading(moment) &&
      (moment.withoutField ||
        (mine(moment) && grows(moment) && moment.view.turn > moment.view.players.length)),
  },
];

/** Return the first tip that fits and was not given yet. */
export function hintFor(moment: HintContext, seen: (name: HintName) => boolean): HintName | null {
  return TIPS.find((tip) => !seen(tip.name) && tip.fits(moment))?.name ?? null;
}

/** The tips of each game that stood there already: whoever has not read one meets it in the next game. */
const given = new Map<string, Set<HintName>>();

/** Note that a tip was given in a game. */
export function give(game: string, name: HintName): void {
  given.set(game, (given.get(game) ?? new Set()).add(name));
}

/** Return whether a tip was given in a game. */
export function wasGiven(game: string, name: HintName): boolean {
  return given.get(game)?.has(name) ?? false;
}
