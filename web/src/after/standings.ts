/** The standings and awards at the end of a game, computed from its result and statistics. */
import type { Bean, PlayerSummary, Result, Summary } from "../generated/protocol";
import { bestFirst } from "../lib/result";

/** One line of the standings; the rank comes from the server and may be on its way. */
export interface Standing {
  readonly seat: number;
  readonly rank: number | null;
  readonly coins: number;
  readonly pennies: number;
  readonly cards: number;
  readonly winner: boolean;
}

/** Return the standings, the winners first. */
export function standings(result: Result, ranks: readonly number[]): readonly Standing[] {
  const all = bestFirst(result).map((seat): Standing => ({
    seat,
    rank: ranks[seat] ?? null,
    coins: result.coins[seat] ?? 0,
    pennies: result.pennies[seat] ?? 0,
    cards: result.hand_cards[seat] ?? 0,
    winner: result.winners.includes(seat),
  }));
  return all.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
}

/**
 * Return the seats that have as much as a seat, by default as the winners: more than these only if the hand
 * cards decided.
 */
export function level(result: Result, first = result.winners[0]): readonly number[] {
  if (first === undefined) return [];
  const same = (seat: number): boolean =>
    result.coins[seat] === result.coins[first] && result.pennies[seat] === result.pennies[first];
  return result.coins.map((_, seat) => seat).filter(same);
}

/**
 * Return by seat the kind that stands for a player: the one that earned him most, the rarer one of equals. Where
 * two earned most with the same kind, it stands for whom it earned more, and the other has his next best, if any.
 * `null` for a player who earned nothing.
 */
export function mascots(players: readonly PlayerSummary[]): readonly (Bean | null)[] {
  const found = players.map((): Bean | null => null);
  const taken = new Set<number>();
  const earnings = players.flatMap(({ coins_by_bean }, seat) =>
    coins_by_bean.flatMap((coins, bean) => (coins > 0 ? [{ seat, bean: bean as Bean, coins }] : [])),
  );
  earnings.sort((one, other) => other.coins - one.coins || one.bean - other.bean || one.seat - other.seat);
  for (const { seat, bean } of earnings) {
    if (found[seat] !== null || taken.has(bean)) continue;
    found[seat] = bean;
    taken.add(bean);
  }
  for (const { seat, bean } of earnings) found[seat] ??= bean;
  return found;
}

/** What somebody did more of than anybody else; the name is the end of a catalog key. */
export interface Award {
  readonly name: "trades" | "gifts" | "harvest" | "beans" | "offers";
  readonly seat: number;
  readonly value: number;
  /** For the best harvest: which bean, and how many of it. */
  readonly bean: Bean | null;
  readonly beans: number;
}

/** What each award measures. Nobody gets two, so the first ones count most. */
const MEASURES: readonly (readonly [Award["name"], (player: PlayerSummary) => number])[] = [
  ["harvest", (player) => player.best?.coins ?? 0],
  ["trades", (player) => player.trades],
  ["gifts", (player) => player.gifts_given],
  ["beans", (player) => player.beans_given],
  ["offers", (player) => player.offers_taken],
];

/** Return what is worth a word about players: each honour goes to whoever leads alone, and nobody gets two. */
export function awards(summary: Summary): readonly Award[] {
  const honoured = new Set<number>();
  return MEASURES.flatMap(([name, measure]): Award[] => {
    const values = summary.players.map(measure);
    const most = Math.max(0, ...values);
    const leaders = values.flatMap((value, seat) => (value === most ? [seat] : []));
    const [seat] = leaders;
    if (most === 0 || seat === undefined || leaders.length > 1 || honoured.has(seat)) return [];
    honoured.add(seat);
    const best = name === "harvest" ? (summary.players[seat]?.best ?? null) : null;
    return [{ name, seat, value: most, bean: best?.bean ?? null, beans: best?.beans ?? 0 }];
  });
}
