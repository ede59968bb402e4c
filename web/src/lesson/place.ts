/** Finds a place for the speech bubble of the lesson that covers nothing it speaks of. */

/** A rectangle on the page, as `getBoundingClientRect` gives it. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where a bubble stands, and on which side of the thing it speaks of; `free` where it stands apart. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly side: "above" | "below" | "left" | "right" | "free";
}

/** Px between a bubble and what it is about: room for its arrow. */
const GAP = 16;

/** Px between a bubble and the edge of the page. */
const EDGE = 10;

/** Return how much of two rectangles lies upon each other, in px². */
export function overlap(one: Rect, other: Rect): number {
  const wide = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const high = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** Return the smallest rectangle in which all of these lie; there is at least one. */
export function around(rects: readonly Rect[]): Rect {
  const left = Math.min(...rects.map((rect) => rect.left));
  const top = Math.min(...rects.map((rect) => rect.top));
  const right = Math.max(...rects.map((rect) => rect.left + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.top + rect.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** Something on the page that a bubble should not lie upon. */
export interface Obstacle extends Rect {
  /** How much each px² of it counts; 1 if nothing is said. */
  readonly weight?: number;
}

/** How much a px² counts of what must be seen, of what is to be tapped, and of what may be hidden if need be. */
export const NEVER = 100;
export const HARDLY = 10;
export const RATHER = 1;

/** How much a px between a bubble and what it speaks of counts, in px² of something hidden. */
const APART = 10;

/** Px from one place that is tried to the next. */
const STEP = 20;

/**
 * Return where a bubble of a size stands best: beside the thing, hiding as little as can be, and where it stood
 * (`now`) unless another place is better.
 */
export function spot(
  anchor: Rect | null,
  size: Pick<Rect, "width" | "height">,
  page: Pick<Rect, "width" | "height">,
  obstacles: readonly Obstacle[],
  now: Spot | null = null,
): Spot {
  const kept: readonly Obstacle[] =
    anchor === null ? obstacles : [{ ...anchor, weight: NEVER }, ...obstacles];
  let best: Spot = { left: EDGE, top: EDGE, side: "free" };
  let least = Infinity;
  for (const wanted of candidates(anchor, size, page, now)) {
    const found = {
      ...wanted,
      left: within(wanted.left, size.width, page.width),
      top: within(wanted.top, size.height, page.height),
    };
    const moved = Math.abs(found.top - wanted.top) + Math.abs(found.left - wanted.left);
    const covered =
      kept.reduce((sum, rect) => sum + overlap({ ...found, ...size }, rect) * (rect.weight ?? 1), 0) +
      (wanted.side === "free" ? away({ ...found, ...size }, anchor) * APART : moved / 10);
    if (covered >= least) continue;
    least = covered;
    best = found;
    if (covered === 0) break;
  }
  return best;
}

/** Return how many px lie between two rectangles, along the page's edges. */
function away(one: Rect, other: Rect | null): number {
  if (other === null) return 0;
  const gap = (from: number, to: number, start: number, end: number): number =>
    Math.max(0, start - to, from - end);
  return (
    gap(one.left, one.left + one.width, other.left, other.left + other.width) +
    gap(one.top, one.top + one.height, other.top, other.top + other.height)
  );
}

function candidates(
  anchor: Rect | null,
  { width, height }: Pick<Rect, "width" | "height">,
  page: Pick<Rect, "width" | "height">,
  now: Spot | null,
): readonly Spot[] {
  const free: Spot[] = [
    { left: page.width - width - EDGE, top: 64, side: "free" },
    { left: (page.width - width) / 2, top: page.height / 3 - height / 2, side: "free" },
    { left: EDGE, top: 64, side: "free" },
    { left: page.width - width - EDGE, top: page.height - height - EDGE, side: "free" },
  ];
  if (now !== null) free.unshift({ ...now, side: "free" });
  for (let top = EDGE; top <= page.height - height - EDGE; top += STEP)
    for (let left = EDGE; left <= Math.max(EDGE, page.width - width - EDGE); left += STEP)
      free.push({ left, top, side: "free" });
  if (anchor === null) return free;
  const middle = anchor.left + anchor.width / 2;
  const centre = anchor.top + anchor.height / 2 - height / 2;
  return [
    { left: Math.min(middle - 48, page.width - width - EDGE), top: anchor.top - GAP - height, side: "above" },
    { left: anchor.left + anchor.width + GAP, top: centre, side: "right" },
    { left: anchor.left - GAP - width, top: centre, side: "left" },
    {
      left: Math.min(middle - 48, page.width - width - EDGE),
      top: anchor.top + anchor.height + GAP,
      side: "below",
    },
    ...free,
  ];
}

function within(at: number, length: number, page: number): number {
  return Math.max(EDGE, Math.min(at, page - length - EDGE));
}
