/** What a row of one's own tables says: whom the table waits for, until when, and who plays for the viewer. */
import type { TableInfo } from "../generated/protocol";
import { lastsDays } from "../lib/days";
import { t } from "../lib/i18n.svelte";
import { listed } from "../lib/names";
import { answerOf } from "./ends";
import { endings } from "./endings";

/** Return until when there is time, by the clock of whoever is waited for; `null` where no clock runs. */
function until({ awaited, options, seats }: TableInfo, now: number): string | null {
  const clock = awaited?.clock ?? null;
  if (awaited === null || clock === null || !lastsDays(options.clock)) return null;
  const look = awaited.all_done ? (clock.beat ?? clock.due) : null;
  const seat = seats.findIndex(({ mine }) => mine);
  const end =
    look === null ? answerOf(clock, { options }, clock.seat ?? seat, now) : { at: look, why: [], reserve: 0 };
  return end === null ? null : (endings(end, now, "days.due")[0] ?? null);
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
