/** What is looked for among one's finished games, as the server is asked for it. */

export interface Wish {
  /** A part of the name of somebody who has played. */
  readonly name: string;
  readonly edition: string;
  readonly result: string;
  /** Days as `YYYY-MM-DD`, here; both are included. */
  readonly from: string;
  readonly until: string;
}

/** Return the parameters of the query; what is empty does not matter. */
export function searchOf(wish: Wish): [string, string][] {
  const found: [string, string][] = [
    ["with", wish.name.trim()],
    ["edition", wish.edition],
    ["result", wish.result],
    ["since", startOf(wish.from, 0)],
    ["until", startOf(wish.until, 1)],
  ];
  return found.filter(([, value]) => value !== "");
}

/** Return when a day begins here, or the one so many days later, in ms since 1970; nothing for what is no day. */
function startOf(day: string, later: number): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return "";
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later).getTime();
  return String(Math.max(0, at));
}
