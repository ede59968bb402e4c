/** What keeps the viewer from playing at all: no connection, a pause, or a bot in his seat. */
import type { LiveTable } from "../lib/live.svelte";
import { isStandIn } from "./people";

/** What prevents playing for a while: the connection, a pause, or a bot in the own seat. Shown in place of buttons. */
export type Obstacle = "lost" | "paused" | "bot" | null;

/** Return what prevents the viewer from playing; of several, the worst. */
export function obstacleOf(live: LiveTable): Obstacle {
  if (live.connection === "lost") return "lost";
  if (live.room?.paused === true) return "paused";
  return live.seat !== null && isStandIn(live, live.seat) ? "bot" : null;
}
