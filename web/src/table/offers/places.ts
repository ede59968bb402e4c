/** Where tickets lie in the market: who has a place keeps it, with a hole where one has gone. */

/** The offers by place; a hole is the negative number of the offer that lay there. */
export type Places = readonly number[];

const isHole = (id: number): boolean => id < 0;

/**
 * Return the places once these offers stand: those that stood stay where they were, new ones take the holes from the
 * front, then places behind; one that was away and comes back takes its own hole. Holes behind the last offer are no
 * places.
 */
export function placed(places: Places, standing: readonly number[]): Places {
  const next = places.map((id) => (standing.includes(Math.abs(id)) ? Math.abs(id) : -Math.abs(id)));
  for (const id of standing) {
    if (next.includes(id)) continue;
    const hole = next.findIndex(isHole);
    if (hole >= 0) next[hole] = id;
    else next.push(id);
  }
  return next.slice(0, next.findLastIndex((id) => !isHole(id)) + 1);
}

/**
 * Return the places with nothing moved that is in sight: offers out of sight take the holes in sight, and behind what
 * is in sight holes are closed. Where there is so little room that holes are to `close`, those in sight that nothing
 * takes are closed too. `seen` tells of a place, by its number from 0, whether it is in sight, and `isFree` whether its
 * hole may be taken.
 */
export function tidied(
  places: Places,
  seen: (at: number) => boolean,
  { close = false, isFree = () => true }: { close?: boolean; isFree?: (at: number) => boolean } = {},
): Places {
  const next = [...places];
  const empty = [...next.keys()].filter((at) => seen(at) && isHole(next[at] ?? 0) && isFree(at));
  for (const [at, id] of places.entries()) {
    if (isHole(id) || seen(at)) continue;
    const to = empty.shift();
    if (to === undefined) break;
    [next[at], next[to]] = [next[to] ?? 0, id];
  }
  const last = close ? -1 : ([...next.keys()].findLast(seen) ?? -1);
  const kept = next.filter((id, at) => at <= last || !isHole(id));
  return kept.slice(0, kept.findLastIndex((id) => !isHole(id)) + 1);
}

/**
 * Return the places without holes, in the order of a rank, the lowest first, where an offer that needs the viewer (a
 * rank below `needy`) is out of sight behind one that needs him less; else in the order in which they lie.
 */
export function neediestFirst(
  places: Places,
  rank: (id: number) => number,
  needy: number,
  seen: (id: number) => boolean,
): Places {
  const all = places.filter((id) => !isHole(id));
  const late = all.some(
    (id, at) => rank(id) < needy && !seen(id) && all.slice(0, at).some((other) => rank(other) > rank(id)),
  );
  return late ? all.toSorted((one, other) => rank(one) - rank(other)) : all;
}

/** Return the offer on a key: the oldest of those whose number ends in this digit, behind the current one. */
export function onDigit(
  digit: number,
  offers: readonly number[],
  current: number | null,
): number | undefined {
  const fitting = offers.filter((id) => id % 10 === digit).sort((one, other) => one - other);
  return fitting[(fitting.indexOf(current ?? -1) + 1) % fitting.length];
}
