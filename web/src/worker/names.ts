/** The names of what the service worker stores. */
import { PROTOCOL } from "../generated/protocol";

/** How all of them begin. */
export const OURS = "bohn-";

/** The files of a page, one store for each build. */
export const PAGE = "bohn-page-";

/** What everybody is told alike, catalog and rules, one store for each build. */
export const KNOWN = "bohn-known-";

/** What belongs to the user of this browser, his name follows: who he is, his tables and records, their replays. */
export const MINE = `bohn-mine-${PROTOCOL}-`;
