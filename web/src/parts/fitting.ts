/** Which of several wordings has room. */

/** Return the place of the first text that is no wider than its `room`; the last one where none is. */
export function fitting(widths: readonly number[], room: number): number {
  const found = widths.findIndex((width) => width <= room);
  return found < 0 ? Math.max(0, widths.length - 1) : found;
}
