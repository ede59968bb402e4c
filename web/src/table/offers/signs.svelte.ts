/** The signs that the viewer gives the others while beans are traded: that he composes, or has traded enough. */
import { tick } from "svelte";
import type { LiveTable } from "../../lib/live.svelte";
import { settings } from "../../lib/settings.svelte";
import type { PageState } from "../state.svelte";
import { lastCall, ownClaimedOffers } from "./closing";
import { isEmpty } from "./composing.svelte";
import { offersWaiting, trading } from "./offers";

/** Ms after which a sign of composing is given again: the server lets it fall after twelve seconds. */
const AGAIN = 5_000;

/** Factor on the times below, by the pace of the table. */
const PACES = { relaxed: 2, normal: 1, brisk: 0.5 } as const;

/**
 * Ms with nothing for the viewer to do after which he has traded enough: long in a market where he has done nothing,
 * so that he can read it, and short once he has read it and acted.
 */
const LOOK = 14_000;
const ACTED = 10_000;

/** Ms more to read each offer and exchange of others since, and how many ms it is in all at most. */
const NEW = 2_000;
const MOST = 18_000;

/** The same in the first market of a game, while the viewer has done nothing there: a newcomer reads the table. */
const FIRST = 40_000;

/** What tells that somebody looks at something: only what he does, as a mouse also moves when a hand rests on it. */
const PRESSES = ["pointerdown", "keydown", "wheel"] as const;

/** Return since when (ms since 1970) a wait runs that begins now, and anew whenever the viewer does something. */
export function sinceTouched(page: PageState, waits: boolean): number | null {
  void page.touched;
  return waits ? Date.now() : null;
}

/**
 * Let the others know while the tray is open, or a teacher explains. Call it during component initialisation (it
 * registers `$effect`s).
 */
export function giveSigns(page: PageState, live: LiveTable): void {
  const composing = $derived(
    live.seat !== null &&
      live.connection === "open" &&
      ((page.selection.open && page.saidDone !== live.view?.turn) ||
        page.explains ||
        isStaying(page, live)) &&
      trading(live.view) !== null,
  );
  $effect(() => {
    const { open, purpose, hand, faceUp, want, to } = page.selection;
    void [open, purpose, hand, faceUp, want, to];
    page.saidDone = 0; // who goes on putting something together is no longer done
  });
  $effect(() => {
    if (!composing) return;
    void compose(page, live);
    const timer = setInterval(() => void compose(page, live), AGAIN);
    return () => {
      clearInterval(timer);
      void live.giveSign(null);
    };
  });
  $effect(() =>
    live.watch({
      after({ by, events = [] }, was) {
        if (trading(live.view) === null) return;
        const mine = by === live.seat;
        if (mine) page.actedInTurn = live.view?.turn ?? 0;
        page.news = mine || trading(was) === null ? 0 : page.news + events.filter(isNews).length;
        // a "no" to his own offer is read, and perhaps answered by a better one
        if (events.some((told) => told.event === "offer-declined" && told.maker === live.seat))
          page.touched += 1;
      },
    }),
  );
  const wait = $derived(enoughAfter(page, live));
  const waits = $derived(wait !== null);
  const since = $derived(sinceTouched(page, waits));
  $effect(() => {
    if (since === null || wait === null) return;
    const at = since + wait;
    const timer = setTimeout(() => {
      page.countedDone = live.view?.turn ?? 0;
      void live.giveSign("enough");
    }, at - Date.now());
    return () => clearTimeout(timer);
  });
  $effect(() => {
    const touch = (): void => void (page.touched += 1);
    for (const kind of PRESSES) addEventListener(kind, touch, { capture: true, passive: true });
    return () => {
      for (const kind of PRESSES) removeEventListener(kind, touch, { capture: true });
    };
  });
}

/** Give the sign of composing; where it holds no longer, one has kept the market open as long as one may. */
async function compose(page: PageState, live: LiveTable): Promise<void> {
  const turn = live.view?.turn ?? 0;
  if ((await live.giveSign("composing")) !== null) return;
  page.stayed = turn;
  page.stays = 0;
}

/** Tell whether the market of a computer player waits for the viewer, who goes on looking at it. */
export function isStaying(page: PageState, live: LiveTable): boolean {
  return page.stays === live.view?.turn && live.room?.paused !== true && maySayEnough(live);
}

/** Tell whether the viewer may let the market of a computer player wait for him: it is about to end without him. */
export function mayStay(page: PageState, live: LiveTable): boolean {
  const { view, room } = live;
  if (view === null || room?.seats[view.active_player]?.bot == null || room.paused) return false;
  if (page.stays === view.turn || page.stayed === view.turn || !maySayEnough(live)) return false;
  return lastCall(live) !== null || enoughAfter(page, live) !== null;
}

/**
 * Say that the viewer has traded enough; he wants to look at the market no longer either. That holds while the tray
 * only stands open, until he puts something together in it.
 */
export async function sayDone(page: PageState, live: LiveTable): Promise<void> {
  page.stays = 0;
  page.saidDone = live.view?.turn ?? 0;
  await tick(); // what takes the sign of composing back goes first, since it would take this one back
  await live.giveSign("enough");
}

/** Tell whether an event of others is something to read before one goes on. */
function isNews({ event }: { readonly event: string }): boolean {
  return event === "offer-shown" || event === "traded-shown";
}

/** Tell whether the viewer may say that he has traded enough: in a trading that another player ends alone. */
export function maySayEnough(live: LiveTable): boolean {
  const { view, seat, room } = live;
  const trade = trading(view);
  if (trade === null || seat === null || room === null || room.lesson !== null) return false;
  if (live.mine || live.enough.includes(seat)) return false;
  return live.allowed("pass").length === 0 && !trade.passes.includes(seat);
}

/**
 * Return after how many ms the page says so for him, or `null`. It does where no other person plays, so that it tells
 * nobody what he holds, and nothing waits for him: computer players need not wait either. Who reads the table as text
 * needs longer, and says it himself.
 */
export function enoughAfter(page: PageState, live: LiveTable): number | null {
  const { selection, away } = page;
  const { room, seat } = live;
  if (!maySayEnough(live) || room === null || room.paused) return null;
  // what he has begun may lie in the closed tray, or in another window
  const composes = selection.open || !isEmpty(selection) || live.composing.includes(seat ?? -1);
  const stays = page.stays === live.view?.turn;
  if (live.connection !== "open" || composes || stays || away || settings.linear) return null;
  if (page.missed.length > 0) return null; // the bar tells him something that he has not read yet
  const asked = offersWaiting(live).length > 0;
  if (!playsAlone(live) || asked || ownClaimedOffers(live).length > 0) return null;
  const acted = page.actedInTurn === live.view?.turn;
  const reads = Math.min(MOST, (acted ? ACTED : LOOK) + NEW * page.news);
  return (isFirstMarket(live) && !acted ? FIRST : reads) * PACES[room.options.pace];
}

/** Tell whether computer players have all other seats. */
function playsAlone({ room, seat }: LiveTable): boolean {
  return room?.seats.every((place, at) => at === seat || place.user === null || place.bot !== null) === true;
}

/** Tell whether this is the first market of the game that a computer player ends. */
function isFirstMarket({ view, seat }: LiveTable): boolean {
  if (view === null || seat === null) return false;
  return view.turn === 1 || (view.turn === 2 && view.starter === seat);
}
