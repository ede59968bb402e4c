/** Where a box that explains something stands: beside it, over as little as possible of what is needed. */

/** A part of the window, in px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** In px. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** How far, in px, it stands from what it explains, and from the edges of the window. */
const GAP = 8;

/** What a covered thing costs, in px², beside its part that is covered; a px of distance; a px off the middle. */
const TOUCHED = 3000;
const NEAR = 10;
const ASKEW = 1;

/** How many times dearer it is to cover what must stay in sight than what only should. */
const DEAR = 30;

/** How far, in px, it goes to find room, and how closely it looks. */
const FAR = 200;
const STEP = 8;

/** What it costs that one covers the other. */
function covered(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height + TOUCHED : 0;
}

function distance(one: Box, other: Box): number {
  const across = Math.max(0, one.left - other.right, other.left - one.right);
  const down = Math.max(0, one.top - other.bottom, other.top - one.bottom);
  return across + down;
}

function askew(one: Box, other: Box): number {
  const across = one.left + one.right - other.left - other.right;
  const down = one.top + one.bottom - other.top - other.bottom;
  return Math.hypot(across, down) / 2;
}

/** The places above, below, right and left of a part of the window, aligned with what is explained. */
function around(part: Box, anchor: Box, { width, height }: Size): [left: number, top: number][] {
  const left = (anchor.left + anchor.right - width) / 2;
  const top = (anchor.top + anchor.bottom - height) / 2;
  return [
    [left, part.top - height - GAP],
    [left, part.bottom + GAP],
    [part.right + GAP, top],
    [part.left - width - GAP, top],
  ];
}

/** Every place near enough to be seen as belonging to the anchor, row by row. */
function near(anchor: Box, { width, height }: Size): [left: number, top: number][] {
  const found: [number, number][] = [];
  for (let top = anchor.top - height - FAR; top <= anchor.bottom + FAR; top += STEP)
    for (let left = anchor.left - width - FAR; left <= anchor.right + FAR; left += STEP)
      found.push([left, top]);
  return found;
}

/**
 * Return where the box stands, in px from the left and the top of the window.
 *
 * `whole` is what the anchor is a part of, which is kept in sight as well; `needed` are the things that should not be
 * covered, `dear` those of them that are only where nothing else is left. The anchor itself is never covered unless
 * there is no room anywhere.
 */
export function beside(
  anchor: Box,
  whole: Box,
  tip: Size,
  needed: readonly Box[],
  room: Size,
  dear: readonly Box[] = [],
): { left: number; top: number } {
  const within = (at: number, size: number, most: number): number =>
    Math.max(GAP, Math.min(at, most - size - GAP));
  const kept = {
    left: anchor.left - GAP,
    top: anchor.top - GAP,
    right: anchor.right + GAP,
    bottom: anchor.bottom + GAP,
  };
  const all = (box: Box, others: readonly Box[]): number =>
    others.reduce((sum, other) => sum + covered(box, other), 0);
  const cost = (box: Box): number =>
    covered(box, kept) * 1000 +
    all(box, dear) * DEAR +
    all(box, needed) +
    distance(box, kept) * NEAR +
    askew(box, anchor) * ASKEW;
  const places = [...around(anchor, anchor, tip), ...around(whole, anchor, tip), ...near(anchor, tip)];
  const boxes = places.map(([x, y]): Box => {
    const left = within(x, tip.width, room.width);
    const top = within(y, tip.height, room.height);
    return { left, top, right: left + tip.width, bottom: top + tip.height };
  });
  const costs = boxes.map(cost);
  const best = boxes[costs.indexOf(Math.min(...costs))];
  return { left: best?.left ?? GAP, top: best?.top ?? GAP };
}
