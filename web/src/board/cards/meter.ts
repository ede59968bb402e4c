/** How far a field has come on its beanometer, for the drawing of one. */

/** A step of a beanometer, and how much of it is reached: 0 to 1. */
export interface Step {
  readonly beans: number;
  readonly coins: number;
  readonly part: number;
}

/** Tell for each step how far `beans` have come on the way to it from the one before. */
export function reached(steps: readonly (readonly [number, number])[], beans: number): Step[] {
  return steps.map(([needed, coins], at) => {
    const before = steps[at - 1]?.[0] ?? 0;
    const part = (beans - before) / (needed - before);
    return { beans: needed, coins, part: Math.min(1, Math.max(0, part)) };
  });
}
