/** Loads what happened before the page was opened, so that the log is complete. */
import type { AnyServerFrame } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import { happeningsOf, type Happening } from "../lib/model.svelte";

/** How many batches are asked for: about a turn of trading; the server may no longer have older ones. */
const BATCHES = 40;

/** How long they are waited for, in ms; the table is complete without them. */
const PATIENCE = 4000;

/**
 * Load what happened before the first entry of a table's log, which a fresh welcome leaves out. It comes over a
 * connection of its own, which is closed again.
 */
export function loadEarlier(table: LiveTable): void {
  const upTo = (table.log[0]?.seq ?? table.seq + 1) - 1;
  if (upTo <= 0) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(
    `${scheme}://${location.host}/ws?table=${encodeURIComponent(table.id)}&after=${Math.max(0, upTo - BATCHES)}`,
  );
  const found: Happening[] = [];
  const timer = setTimeout(() => socket.close(), PATIENCE);
  socket.onmessage = (message) => {
    const frame = JSON.parse(String(message.data)) as AnyServerFrame;
    if (frame.type === "welcome" && frame.fresh) socket.close(); // it is too long ago for this server
    if (frame.type !== "batch") return;
    if (frame.seq <= upTo) found.push(...happeningsOf(frame));
    if (frame.seq >= upTo) socket.close();
  };
  socket.onclose = () => {
    clearTimeout(timer);
    const now = table.log[0]?.seq ?? Infinity;
    table.log = [...found.filter((happening) => happening.seq < now), ...table.log];
  };
}
