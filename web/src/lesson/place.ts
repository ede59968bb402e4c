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

/**
 * Return where a bubble of a size stands best: beside the thing, covering as little as can be of what is to
 * be tapped.
 */
export function spot(
  anchor: Rect | null,
  size: Pick<Rect, "width" | "height">,
  page: Pick<Rect, "width" | "height">,
  taps: readonly Rect[],
): Spot {
  const keep = anchor === null ? taps : [anchor, ...taps];
  let best: Spot = { left: EDGE, top: EDGE, side: "free" };
  let least = Infinity;
  for (const wanted of candidates(anchor, size, page)) {
    const found = {
      ...wanted,
      left: within(wanted.left, size.width, page.width),
      top: within(wanted.top, size.height, page.height),
    };
    const moved = Math.abs(found.top - wanted.top) + Math.abs(found.left - wanted.left);
    const covered =
      keep.reduce((sum, rect) => sum + overlap({ ...found, ...size }, rect), 0) +
      (wanted.side === "free" ? 0 : moved / 10);
    if (covered >= least) continue;
    least = covered;
    best = found;
    if (covered === 0) break;
  }
  return best;
}

function candidates(
  anchor: Rect | null,
  { width, height }: Pick<Rect, "width" | "height">,
  page: Pick<Rect, "width" | "height">,
): readonly Spot[] {
  const free: readonly Spot[] = [
    { left: page.width - width - EDGE, top: 64, side: "free" },
    { left: (page.width - width) / 2, top: page.height / 3 - height / 2, side: "free" },
    { left: EDGE, top: 64, side: "free" },
    { left: page.width - width - EDGE, top: page.height - height - EDGE, side: "free" },
  ];
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
