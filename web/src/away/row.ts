/** What a row of one's own tables says: whom the table waits for, until when, and who plays for the viewer. */
import type { TableInfo } from "../generated/protocol";
import { lastsDays } from "../lib/days";
import { t } from "../lib/i18n.svelte";
import { companyName, listed } from "../lib/names";
import { endings } from "./endings";
import { answerOf, type End } from "./ends";
import { momentText } from "./resting";

/** Return when the time ends, and why then, by the clock of whoever is waited for; `null` where no clock runs. */
function awaitedEnd({ awaited, options, seats }: TableInfo, now: number): End | null {
  const clock = awaited?.clock ?? null;
  if (awaited === null || clock === null || !lastsDays(options.clock)) return null;
  const look = awaited.all_done ? (clock.beat ?? clock.due) : null;
  const seat = seats.findIndex(({ mine }) => mine);
  return look === null
    ? answerOf(clock, { options }, clock.seat ?? seat, now)
    : { at: look, why: [], reserve: 0 };
}

/** Return until when there is time in words. */
function until(table: TableInfo, now: number): string | null {
  const end = awaitedEnd(table, now);
  return end === null ? null : (endings(end, now, "days.due")[0] ?? null);
}

/** Return with whom the viewer has a move to make, and until when: one sentence for each of his tables over days. */
export function movesDue(tables: readonly TableInfo[], now: number): readonly string[] {
  return tables.flatMap((table) => {
    const at = table.waits ? (awaitedEnd(table, now)?.at ?? null) : null;
    if (at === null) return [];
    const people = table.seats.map(({ person }) => person?.name ?? "");
    const others = table.seats.flatMap(({ person, bot, name, mine }, place) => {
      if (mine || (person === null && bot === null)) return [];
      if (person !== null) return [person.name === "" ? t("app.nobody") : person.name];
      return [name === "" ? companyName(place, people) : name];
    });
    return [t("times.move-due", { names: listed(others), time: momentText(at, now) })];
  });
}

/** Return the lines of a row; `called` is what a seat is called. */
export function linesOf(table: TableInfo, called: (seat: number) => string, now: number): readonly string[] {
  const { awaited, options, taken, seats } = table;
  const lines: string[] = [];
  if (table.status === "open") {
    const free = options.players - taken;
    const host = table.host?.name ?? "";
    if (free > 0) lines.push(t("lobby.waiting-for", { count: free }));
    else if (!table.hosts) lines.push(t("days.wait-deal", { name: host === "" ? t("app.nobody") : host }));
  }
  if (awaited?.paused === true) lines.push(t("event.paused"));
  else if (awaited !== null) {
    const players = listed(awaited.seats.map(called));
    const others = table.waits || awaited.seats.length === 0 ? "" : t("table.say.waiting", { players });
    const whom = awaited.all_done ? t("days.wait-all") : others;
    const text = [whom, until(table, now) ?? ""].filter((part) => part !== "").join(" · ");
    if (text !== "") lines.push(text);
  }
  const stood = seats.some((seat) => seat.mine && seat.bot !== null) && table.status === "playing";
  return stood ? [...lines, t("event.handed-over", { you: "yes", player: "" })] : lines;
}
