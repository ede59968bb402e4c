/** Keeps what is scrolled at its end, where the newest stands. */

/** Px from the end within which one still reads the end. */
const NEAR = 24;

/** Show the end of what an element stands last in, and all below it. */
export function showEnd(end: HTMLElement | undefined): void {
  const body = end?.parentElement;
  if (body != null) body.scrollTop = body.scrollHeight;
}

/**
 * Keep the end in sight when more comes or the room becomes less, unless somebody has scrolled back; `{@attach}` it to
 * the last element of what is scrolled.
 */
export function keepAtEnd(end: HTMLElement): () => void {
  const body = end.parentElement;
  if (body === null) return () => undefined;
  let there = true;
  const look = (): void => {
    there = body.scrollHeight - body.scrollTop - body.clientHeight < NEAR;
  };
  const follow = (): void => {
    if (there) showEnd(end);
  };
  const sizes = new ResizeObserver(follow);
  const lines = new MutationObserver(follow);
  body.addEventListener("scroll", look);
  sizes.observe(body);
  lines.observe(body, { childList: true, subtree: true });
  return () => {
    body.removeEventListener("scroll", look);
    sizes.disconnect();
    lines.disconnect();
  };
}
