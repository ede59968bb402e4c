/** Loads what happened before the page was opened, so that the log is complete as far back as somebody reads. */
import type { AnyServerFrame } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import { happeningsOf, type Happening } from "../lib/model.svelte";
import { areUndated } from "./talk/talk";

/** How many batches are asked for: about a turn of trading; the server may no longer have older ones. */
const BATCHES = 40;

/** How many batches behind the last one are asked for at most: a server replays 400, and some may come meanwhile. */
const REACH = 390;

/** How long they are waited for, in ms; the table is complete without them. */
const PATIENCE = 4000;

/** The first batch that is there of each table, or was asked for: of some nothing is shown. */
const first = new WeakMap<LiveTable, number>();

/** Return the first batch that is there of a table. */
const firstOf = (table: LiveTable): number => first.get(table) ?? table.log[0]?.seq ?? table.seq + 1;

/** Tell whether something that has happened before all that is there can be had. */
export const hasEarlier = (table: LiveTable): boolean => firstOf(table) > 1 + Math.max(0, table.seq - REACH);

/**
 * Load what happened before the first entry of a table's log, which a fresh welcome leaves out; resolves when it is
 * there, or cannot be had. It comes over a connection of its own, which is closed again.
 */
export function loadEarlier(table: LiveTable): Promise<void> {
  if (!hasEarlier(table)) return Promise.resolve();
  const upTo = firstOf(table) - 1;
  const after = Math.max(0, upTo - BATCHES, table.seq - REACH);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(
    `${scheme}://${location.host}/ws?table=${encodeURIComponent(table.id)}&after=${after}`,
  );
  const found: Happening[] = [];
  let whole = false;
  let gone = false;
  const timer = setTimeout(() => socket.close(), PATIENCE);
  socket.onmessage = (message) => {
    const frame = JSON.parse(String(message.data)) as AnyServerFrame;
    if (frame.type === "welcome" && frame.fresh) {
      gone = true; // it is too long ago for this server
      socket.close();
    }
    if (frame.type !== "batch") return;
    if (frame.seq <= upTo) found.push(...happeningsOf(frame));
    whole ||= frame.seq >= upTo;
    if (whole) socket.close();
  };
  return new Promise((resolve) => {
    socket.onclose = () => {
      clearTimeout(timer);
      if (gone) first.set(table, 1);
      else if (whole) first.set(table, after + 1);
      const now = table.log[0]?.seq ?? Infinity;
      table.log = [...found.filter((happening) => happening.seq < now), ...table.log];
      resolve();
    };
  });
}

/** Load so much that the page can tell when each promise is due, beside about a turn of what happened. */
export async function loadBeginning(table: LiveTable): Promise<void> {
  let before: number;
  do {
    before = firstOf(table);
    await loadEarlier(table);
  } while (areUndated(table) && firstOf(table) < before);
}
