/** What was in sight stays there when the size of what holds it changes. */

/**
 * Keep something in sight as long as its holder has another size each time, as when a part above it has come late.
 * `find` returns it, `null` while there is nothing to keep; call what is returned to end it.
 */
export function keepInSight(holder: Element, find: () => Element | null): () => void {
  const watcher = new ResizeObserver(() => find()?.scrollIntoView({ block: "nearest" }));
  watcher.observe(holder);
  return () => watcher.disconnect();
}
