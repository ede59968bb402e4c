/** The chart of somebody's coins: where each of his last games lies. */
import type { GameCoins } from "../generated/protocol";

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly game: GameCoins;
}

/** Return the point of each game in a box; the lowest line is no coins, the highest the most of any game. */
export function points(games: readonly GameCoins[], width: number, height: number): readonly Point[] {
  const most = Math.max(1, ...games.map((game) => game.coins));
  const step = games.length > 1 ? width / (games.length - 1) : 0;
  return games.map((game, place) => ({
    x: games.length > 1 ? place * step : width / 2,
    y: height - (Math.max(0, game.coins) / most) * height,
    game,
  }));
}

/** Return a number a game, to one digit behind the point, as the reader writes numbers; a dash without games. */
export function aGame(count: number, games: number, region: string): string {
  if (games === 0) return "–";
  return new Intl.NumberFormat(region, { maximumFractionDigits: 1 }).format(count / games);
}
