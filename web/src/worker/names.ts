/** The names of what the service worker stores, known to it and to the page. */

/** The files of a page, one store for each build. */
export const PAGE = "bohn-page-";

/** What everybody is told alike: catalog and rules. */
export const KNOWN = "bohn-known";

/** What belongs to the user of this browser: who he is, his tables and records, their replays. */
export const MINE = "bohn-mine";
