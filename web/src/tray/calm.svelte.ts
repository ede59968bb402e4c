const CALM = 700;

/**
 * Tell whether a press would be the second one of a double click: a last call has begun only just now, or was prolonged,
 * and that press would skip it. To be called while a part is made; `until` is when the call ends, or `null`.
 */
export function calmAfter(until: () => number | null): () => boolean {
  let calm = false;
  $effect(() => {
    if (until() === null) return;
    calm = true;
    const timer = setTimeout(() => (calm = false), CALM);
    return () => {
      clearTimeout(timer);
      calm = false;
    };
  });
  return () => calm;
}
