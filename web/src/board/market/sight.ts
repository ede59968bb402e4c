/** Which tickets of the market are in sight, and how far it is to one that is not. */

/** The element that scrolls, and whether what is in it stands below one another, as on a phone. */
export interface Frame {
  readonly row: HTMLElement;
  readonly stacked: boolean;
}

/** Px by which a ticket may be cut and still counts as whole. */
const CUT = 4;

/** Where a box lies in what is in sight, in px along the way one scrolls, and how long that way is. */
function along(
  { row, stacked }: Frame,
  box: HTMLElement,
): { readonly from: number; readonly long: number; readonly all: number } {
  return stacked
    ? { from: box.offsetTop - row.offsetTop - row.scrollTop, long: box.offsetHeight, all: row.clientHeight }
    : { from: box.offsetLeft - row.offsetLeft - row.scrollLeft, long: box.offsetWidth, all: row.clientWidth };
}

/** Whether a box begins before what is in sight. */
export function liesBefore(frame: Frame, box: Element | null): boolean {
  return box instanceof HTMLElement && along(frame, box).from < (frame.stacked ? -CUT : 0);
}

/** Whether most of a box is in sight, or will be once it has moved there. */
export function mostInSight(frame: Frame, box: Element | null | undefined): boolean {
  if (!(box instanceof HTMLElement)) return false;
  const { from, long, all } = along(frame, box);
  const middle = from + long / 2;
  return middle > 0 && middle < all;
}

/** Whether a box can be read and pressed: most of it is in sight, where they stand below one another all of it. */
export function inSight(frame: Frame, box: Element | null | undefined): boolean {
  if (!mostInSight(frame, box) || !(box instanceof HTMLElement)) return false;
  const { from, long, all } = along(frame, box);
  return !frame.stacked || long > all || (from >= -CUT && from + long <= all + CUT);
}

/** Return how many px to scroll until a ticket is in sight, along the way one scrolls; its begin comes first. */
export function wayTo({ row, stacked }: Frame, ticket: Element): number {
  const [box, frame] = [ticket.getBoundingClientRect(), row.getBoundingClientRect()];
  const [before, behind] = stacked
    ? [box.top - frame.top, box.bottom - frame.bottom]
    : [box.left - frame.left, box.right - frame.right];
  if (before < 0) return before;
  return stacked ? Math.min(before, Math.max(0, behind)) : Math.max(0, behind);
}
