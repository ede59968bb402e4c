/** Where tickets lie in the market: who has a place keeps it, with a hole where one has gone. */

/** The offers by place; a hole is the negative number of the offer that lay there. */
export type Places = readonly number[];

const isHole = (id: number): boolean => id < 0;

/**
 * Return the places once these offers stand: those that stood stay where they were, new ones take the holes from the
 * front, then places behind. Those that stand `aside` lie behind the others: one of them takes no hole before another.
 * Where no hole is left, one that `yields` (it has no buttons) gives its place away and goes behind; where only so many
 * places are in `sight`, it does so when there is no other among those. Holes behind the last offer are no places.
 */
export function placed(
  places: Places,
  standing: readonly number[],
  aside: (id: number) => boolean = () => false,
  yields: (id: number) => boolean = () => false,
  sight?: number,
): Places {
  const next = places.map((id) => (standing.includes(id) ? id : -Math.abs(id)));
  for (const id of standing) {
    if (next.includes(id)) continue;
    const last = next.findLastIndex((other) => !isHole(other) && !aside(other));
    const hole = next.findIndex((other, at) => isHole(other) && (!aside(id) || at > last));
    const given = aside(id) ? -1 : next.findIndex((other) => !isHole(other) && yields(other));
    const seen = sight === undefined || hole < sight || given < 0 || given > hole;
    if (hole >= 0 && seen) next[hole] = id;
    else if (given >= 0 && !(sight !== undefined && next.length < sight))
      next.push(...next.splice(given, 1, id));
    else next.push(id);
  }
  return next.slice(0, next.findLastIndex((id) => !isHole(id)) + 1);
}

/**
 * Return the places with nothing moved that is in sight and can be pressed: offers out of sight, but those that stand
 * `aside`, take the holes in sight and the places there of those that `yields` names. Behind what is in sight holes
 * are closed. Where there is so little room that holes are to `close`, those in sight are too: what stands aside out of
 * sight takes them, and where there is none what lies behind moves up. `seen` tells of a place, by its number from 0,
 * whether it is in sight.
 */
export function tidied(
  places: Places,
  seen: (at: number) => boolean,
  aside: (id: number) => boolean = () => false,
  yields: (id: number) => boolean = () => false,
  close = false,
): Places {
  const next = [...places];
  fill(
    next,
    seen,
    (id) => isHole(id) || yields(id),
    (id) => !aside(id),
  );
  if (close) fill(next, seen, isHole, aside);
  const last = close ? -1 : ([...next.keys()].findLast(seen) ?? -1);
  const kept = next.filter((id, at) => at <= last || !isHole(id));
  return kept.slice(0, kept.findLastIndex((id) => !isHole(id)) + 1);
}

/** Let offers out of sight that `come` take the places in sight that are `free`, those in front first. */
function fill(
  places: number[],
  seen: (at: number) => boolean,
  free: (id: number) => boolean,
  come: (id: number) => boolean,
): void {
  const empty = [...places.keys()].filter((at) => seen(at) && free(places[at] ?? 0));
  for (const [at, id] of [...places].entries()) {
    if (isHole(id) || seen(at) || !come(id)) continue;
    const to = empty.shift();
    if (to === undefined) break;
    places[at] = places[to] ?? 0;
    places[to] = id;
  }
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
