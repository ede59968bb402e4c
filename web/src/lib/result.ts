/** What the result of a game says of its players. */
import type { Result } from "../generated/protocol";

/** Return the seats, the best first: winners, then by coins, pennies and the hand cards that decide between equals. */
export function bestFirst({ coins, pennies, hand_cards, winners }: Result): readonly number[] {
  const score = (seat: number): readonly number[] => [
    Number(winners.includes(seat)),
    ...[coins, pennies, hand_cards].map((of) => of[seat] ?? 0),
  ];
  return coins
    .map((_, seat) => ({ seat, score: score(seat) }))
    .sort((one, other) => compare(other.score, one.score))
    .map(({ seat }) => seat);
}

/** Compare two rows of numbers by the first that differs. */
function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
