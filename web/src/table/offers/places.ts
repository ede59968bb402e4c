/** Where tickets lie in the market: who has a place keeps it, with a hole where one has gone. */

/** The offers by place, `null` where there is a hole. */
export type Places = readonly (number | null)[];

/**
 * Return the places once these offers stand: those that stood stay where they were, new ones take the holes from the
 * front, then places behind. Holes behind the last offer are no places.
 */
export function placed(places: Places, standing: readonly number[]): Places {
  const next = places.map((id) => (id !== null && standing.includes(id) ? id : null));
  for (const id of standing) {
    if (next.includes(id)) continue;
    const hole = next.indexOf(null);
    if (hole < 0) next.push(id);
    else next[hole] = id;
  }
  while (next.at(-1) === null) next.pop();
  return next;
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
