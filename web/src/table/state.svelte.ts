/**
 * All that the page of a table can be in. What lies on the table is in `lib/model`, the connection to the server
 * in `lib/live`; everything else that more than one part of the page reads or changes is declared here,
 * with what it is at the beginning.
 *
 * Components read it and never ask one another. The functions that change it stand in files of their own (`selection`,
 * `drag`, `follow`, `draft`, `double-click`, ...) and take the state as their first parameter. What nobody else needs
 * stays in a component: how large it has become, or that one of its buttons asks for confirmation.
 *
 * `PageState` lasts as long as the page, `LayoutState` as long as the table is shown in one way, drawn or as text.
 */
import { getContext, setContext } from "svelte";
import type { Bean, OfferView, Preview } from "../generated/protocol";
import type { HeldCommand, HeldSlot } from "../lib/live.svelte";
import type { Happening } from "../lib/model.svelte";
import type { GoneOffer } from "./offers/offers";
import type { FieldDeed, Source } from "./planting";

/** What the chosen cards are for: a new offer, a new revision, a counter-offer, or the acceptance of one. */
export type Purpose =
  | { readonly is: "compose" }
  | { readonly is: "edit"; readonly offer: OfferView }
  | { readonly is: "counter"; readonly offer: OfferView }
  | { readonly is: "accept"; readonly offer: OfferView };

/** The button that sends what is put together: its text, whether it is ready, and what is missing if not. */
export interface SendButton {
  readonly title: string;
  readonly label: string;
  readonly ready: boolean;
  readonly missing: string;
  readonly go: () => Promise<void>;
}

/** What can be opened beside the table. */
export type SheetName = "log" | "chat" | "people" | "rules" | "settings" | "away";

/** A card that is carried: from where, and what is drawn of it once it has moved. */
export interface Carried {
  readonly from: HTMLElement;
  readonly x: number;
  readonly y: number;
  drawn: HTMLElement | null;
}

/** A sentence in a live region. */
export interface Sentence {
  readonly key: number;
  readonly text: string;
}

/** The offer one is putting together: cards that are raised, kinds that are wanted, and to whom. */
export class Selection {
  /** Whether the tray is open. */
  open = $state(false);
  /** What the chosen cards are for. */
  purpose: Purpose = $state.raw({ is: "compose" });
  /** Places in the own hand, as chosen. */
  hand: readonly number[] = $state.raw([]);
  /** Places among the face-up cards, as chosen. */
  faceUp: readonly number[] = $state.raw([]);
  /** The kinds that are wanted, each as often as it is wanted. */
  want: readonly Bean[] = $state.raw([]);
  /** Seats; empty means everybody it may concern. */
  to: readonly number[] = $state.raw([]);
  /** Whether one picks among those who would take it; `null` is the usual: yes, if there are several. */
  letMeChoose: boolean | null = $state(null);
  /** Who ended the trading before the last offer that was put together was sent; `null` if it was not so. */
  unsent: number | null = $state(null);
}

/** The sentences in the live regions of the page, which screen readers read out as they come. */
export class LiveRegions {
  /** What is said when it is quiet. */
  polite: readonly Sentence[] = $state.raw([]);
  /** What is said at once. */
  urgent: readonly Sentence[] = $state.raw([]);
  /** How many sentences there have been: the last one's key. */
  count = 0;
}

/** A kind that is chosen to be named, in which turn, and after how many others: it is meant for that moment only. */
export interface GiftToName {
  readonly bean: Bean;
  readonly turn: number;
  readonly after: number;
}

/** What lasts as long as the page of a table. */
export class PageState implements HeldSlot {
  /** The offer that is put together, whether it is shown or not. */
  readonly selection = new Selection();
  /** What is not sent yet, so that it can be taken back: a planting, a harvest or the purchase of a field. */
  held: HeldCommand | null = $state.raw(null);
  /** The kind one is about to name as a gift. */
  giftToName: GiftToName | null = $state.raw(null);
  /** Which of the ways to give that kind. */
  way = $state(0);
  /** The number of the last line of chat that was read on this device. */
  read = $state(0);
  /** Whether a teacher explains something that was not read yet: the others wait as for one who composes. */
  explains = $state(false);
  /** How often the viewer has pressed, typed or scrolled anywhere. */
  touched = $state(0);
  /** The turn in whose market the viewer has last done something. */
  actedInTurn = $state(0);
  /** How many offers and exchanges of others there have been since, or since the market was opened or loaded. */
  news = $state(0);
  /** The turn in whose market the page has said for the viewer that he is done, since he had waited. */
  countedDone = $state(0);
  /** The turn in whose market the viewer has said that he is done, and has put nothing together since. */
  saidDone = $state(0);
  /** The turn in whose market the viewer wants to go on looking, so that it waits for him. */
  stays = $state(0);
  /** The turn in whose market he has done so for as long as one may. */
  stayed = $state(0);
  /** Offers that waited for the viewer and are gone before he has answered, as long as the bar tells of them. */
  missed: readonly GoneOffer[] = $state.raw([]);
  /** What is read out. */
  readonly regions = new LiveRegions();
  /** Whether its tab is hidden. */
  away = $state(false);
  /** Whether the list of keys is shown. */
  help = $state(false);
  /** The letter that waits for its number. */
  letter: "harvest" | "plant" | null = null;
  /** The ticket the keyboard is on, as it was then: one that has changed since is not accepted unseen. */
  ticket: { readonly id: number; readonly revision: number } | null = null;
  /** A short word about the last key: a number that is waited for, an offer that has changed. */
  word = $state("");
}

/** What lasts as long as the table is shown in one way. */
export class LayoutState {
  /** The places in the hand among which one chooses which card of a kind to give, and the chosen one. */
  givable: readonly number[] = $state.raw([]);
  given = $state(-1);
  /** The sheet that is open beside the table. */
  sheet: SheetName | null = $state(null);
  /** What is looked for in the rules when their sheet opens: the title of the clause of an explanation. */
  soughtRule = $state("");
  /** Whether wishes and promises are being changed; a promise may begin with somebody. */
  talk: { readonly to: number | null } | null = $state.raw(null);
  /** The seat of which everything is shown. */
  opponent: number | null = $state(null);

  /** The card that was picked or planted last: it or one like it is planted next, else the first that can be. */
  picked: Source | null = $state.raw(null);
  /** A planting or harvest that was sent and is not seen yet. */
  sent: FieldDeed | null = $state.raw(null);
  /** The planting or harvest that could be taken back before the last change. */
  before: FieldDeed | null = null;
  /**
   * What was asked for while such a thing was on its way: the card to take next (`from`), its field, or both; no bean
   * means whatever may be planted there then.
   */
  queued: { readonly bean: Bean | null; readonly from?: Source; readonly field: number | null } | null =
    $state.raw(null);
  /** The card that a mouse or pen carries. */
  carried: Carried | null = null;
  /** The place of the hand card that was chosen to be discarded. */
  discard: number | null = $state(null);

  /** What the offer that is put together would mean for the own fields, as the server said last. */
  preview: Preview | null = $state.raw(null);
  /** Whether the offer is on its way. */
  sending = false;
  /** While the tray is open: the button that sends what is put together. */
  sendButton: SendButton | null = $state.raw(null);
  /** The offers out of sight in the market to which one goes on: those behind, else those before; by their places. */
  unseen: readonly number[] = $state.raw([]);
  /** All offers out of sight, by their places. */
  outOfSight: readonly number[] = $state.raw([]);
  /** Whether these lie before those in sight. */
  unseenBefore = $state(false);
  /** What was harvested when the game ended, as long as the board stands before the result. */
  lastHarvests: readonly Happening[] | null = $state.raw(null);
  /** Offers that are gone, shown a moment longer. */
  gone: readonly GoneOffer[] = $state.raw([]);
  /** Whether the buttons that end a market have been shown. */
  closingShown = false;
  /** Whether a last call has just begun, so that a press may be the second one of a double click. */
  justCalled = false;
}

const PAGE = Symbol("page");
const LAYOUT = Symbol("layout");

/** Provide the state of a page to all components below. */
export function providePage(): PageState {
  return setContext(PAGE, new PageState());
}

/** Return the state of the page. */
export function getPage(): PageState {
  return getContext<PageState>(PAGE);
}

/** Provide the state of a way to show the table to all components below. */
export function provideLayout(): LayoutState {
  return setContext(LAYOUT, new LayoutState());
}

/** Return the state of the way in which the table is shown. */
export function getLayout(): LayoutState {
  return getContext<LayoutState>(LAYOUT);
}
