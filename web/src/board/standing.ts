import type { LiveTable } from "../lib/live.svelte";
import { isStandIn } from "./people";

/** What keeps one from playing just now, and lasts: it is told at the place of everything that could be done. */
export type Standing = "lost" | "paused" | "bot" | null;

/** Return what keeps the viewer from playing; the worst comes first. */
export function standing(live: LiveTable): Standing {
  if (live.connection === "lost") return "lost";
  if (live.room?.paused === true) return "paused";
  return live.seat !== null && isStandIn(live, live.seat) ? "bot" : null;
}
