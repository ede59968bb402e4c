/** Playing by keyboard: turns each key into a click on the button, card or ticket that it stands for. */
import { tick } from "svelte";
import { trading } from "../../table/offers/offers";
import { onDigit } from "../../table/offers/places";
import { explaining } from "../../lib/explain.svelte";
import { focusOn, isThere } from "../../lib/focus";
import { t } from "../../lib/i18n.svelte";
import { characterOf, meaning, sceneOf, type KeyAction } from "./keymap";
import type { TableModel } from "../../lib/model.svelte";
import type { PageState } from "../../table/state.svelte";
import {
  across,
  CARDS,
  find,
  focusFirst,
  inControls,
  isTyping,
  list,
  next,
  rowOf,
  step,
  within,
} from "./reach";
import { settings } from "../../lib/settings.svelte";
import { isGift } from "../../table/offers/composing.svelte";

/** How long, in ms, the page waits for the number that belongs to a letter, and shows a short word. */
const WAIT = 3500;
const TICKET = "[data-offer]";
const CHIP = "[data-wants] button";
/** The cards that may be chosen, wherever they lie. */
const PICKABLE = ["card", "aside", "face-up", "gift"]
  .map((where) => `[data-${where}][aria-pressed]`)
  .join(", ");

/** Keys that click one thing on the page, by what it is marked with; the first that is there counts. */
const CLICKS: Partial<Record<KeyAction, readonly string[]>> = {
  close: ["[data-key='.']", "[data-key='t']"],
  stay: ["[data-key=',']"],
  reveal: ["[data-key='t']"],
  "bonus-draw": ["[data-key='t']"],
  take: ["[data-take]"],
  name: ["[data-name]"],
  buy: ["[data-key='b']"],
  claim: ["[data-claim-bonus]", "[data-bonus]:not([aria-disabled='true'])", "[data-bonus]"],
  undo: ["[data-key='u']"],
  wishes: ["[data-key='i']"],
  log: ["[data-key='l']"],
  chat: ["[data-key='m']"],
  rules: ["[data-key='r']"],
  settings: ["[data-key='s']"],
  sound: ["[data-key='x']"],
};

/** What some keys open at its place; the keyboard goes there. */
const OPENS: Partial<Record<KeyAction, string>> = { buy: "[data-way-to-pay]", wishes: "[data-talk]" };

/** Keys that act on the ticket that was chosen. */
const ON_TICKET: Partial<Record<KeyAction, string>> = {
  accept: "a",
  counter: "c",
  decline: "d",
  which: "w",
  edit: "e",
  withdraw: "v",
};

/** Digits that choose one of several things. */
const NTH: Partial<Record<KeyAction, string>> = {
  kind: "[data-kind-name]",
  "bonus-discard": "[data-discard-bonus]",
};

/** The whole game by keyboard: each key clicks the button that a mouse would click, so that both act alike. */
export class Keyboard {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly page: PageState,
    private readonly table: TableModel,
  ) {}

  /** A key was pressed somewhere on the page. */
  readonly press = (event: KeyboardEvent): void => {
    if (
      event.defaultPrevented ||
      event.isComposing ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTyping(event.target)
    )
      return;
    const plays = settings.keys && !within("[role='dialog']"); // who reads or writes beside the table plays no card
    if (this.moves(event) || this.chips(event) || (plays && this.character(event))) event.preventDefault();
  };

  /** Note on which ticket the keyboard is. */
  readonly come = (event: FocusEvent): void => {
    const ticket = event.target instanceof Element ? event.target.closest<HTMLElement>(TICKET) : null;
    const id = Number(ticket?.dataset["offer"]);
    if (ticket === null) this.page.ticket = null;
    else if (this.page.ticket?.id !== id) this.page.ticket = { id, revision: this.revision(id) };
  };

  // -- arrows, Enter and Escape ------------------------------------------------------------------------

  private moves(event: KeyboardEvent): boolean {
    switch (event.key) {
      case "ArrowLeft":
      case "ArrowRight":
        return within(CHIP)
          ? step(CHIP, event.key === "ArrowRight" ? 1 : -1)
          : this.along(event.key === "ArrowRight" ? 1 : -1);
      case "ArrowUp":
      case "ArrowDown":
        return across(event.key === "ArrowDown" ? 1 : -1);
      case "Enter":
        return this.enter();
      case "Escape":
        return this.escape();
      default:
        return false;
    }
  }

  /** Go to the next card of a row as it lies there; from anywhere else, to the first of the hand. */
  private along(by: number): boolean {
    const here = document.activeElement?.closest<HTMLElement>(CARDS) ?? null;
    if (here === null) return inControls() ? false : focusFirst("[data-card]");
    const row = rowOf(here);
    const next = row[row.indexOf(here) + by];
    if (next !== undefined) focusOn(next);
    return true;
  }

  /**
   * Enter sends what is put together, but a gift only from the button that says so; as long as nothing could be sent it
   * is that of the card or the kind.
   */
  private enter(): boolean {
    const send = find("[data-key='Enter']");
    if (
      send === null ||
      (send.getAttribute("aria-disabled") === "true" && (within(CARDS) || within(CHIP))) ||
      !this.page.selection.open ||
      !(within(CARDS) || within(CHIP) || within("[data-tray] .chip") || this.onOpener() || !inControls())
    )
      return false;
    if (!isGift(this.page.selection)) send.click();
    else {
      focusOn(send);
      this.brief(t("key.gift-again"));
    }
    return true;
  }

  /** Tell whether the keyboard is still on the button of the ticket by which the tray was opened. */
  private onOpener(): boolean {
    const { purpose } = this.page.selection;
    if (purpose.is === "compose") return false;
    const button = document.activeElement;
    const key = { accept: ON_TICKET.which, counter: ON_TICKET.counter, edit: ON_TICKET.edit }[purpose.is];
    const offer = button?.closest<HTMLElement>(TICKET)?.dataset["offer"];
    return offer === String(purpose.offer.id) && button?.getAttribute("data-key") === key;
  }

  private escape(): boolean {
    if (this.page.letter !== null) {
      this.wait(null);
      return true;
    }
    const shut = [...document.querySelectorAll<HTMLElement>("[data-key='Escape']")].filter(isThere).at(-1);
    shut?.click();
    return shut !== undefined;
  }

  /** On a kind there is one more of it, and one fewer; letters mean there what they mean everywhere. */
  private chips(event: KeyboardEvent): boolean {
    if (!settings.keys || !within(CHIP) || event.key === " ") return false;
    const chip = document.activeElement as HTMLElement;
    if (event.key === "-" || event.key === "Backspace") {
      document.querySelector<HTMLElement>(`[data-less="${chip.dataset["want"]}"]`)?.click();
      return true;
    }
    if (event.key === "+") {
      chip.click();
      return true;
    }
    return false;
  }

  // -- characters ------------------------------------------------------------------------------------------

  private character(event: KeyboardEvent): boolean {
    const key = characterOf(event);
    if (event.repeat) return meaning(key, sceneOf(this.table.view)) !== undefined;
    const number = /^\d$/.test(key) ? Number(key) : null;
    if (this.page.letter !== null && number !== null) return this.numbered(number);
    this.wait(null);
    const found = meaning(key, sceneOf(this.table.view));
    if (found === undefined) return false;
    if (found.action === "harvest" || found.action === "plant") this.wait(found.action);
    else this.does(found.action, number ?? 1);
    return true;
  }

  private does(action: KeyAction, number: number): void {
    const clicked = CLICKS[action];
    const onTicket = ON_TICKET[action];
    const several = NTH[action];
    if (action === "help") this.page.help = !this.page.help;
    else if (clicked !== undefined) void this.click(action, clicked);
    else if (onTicket !== undefined) void this.answer(onTicket);
    else if (several !== undefined) list(several)[number - 1]?.click();
    else if (action === "ticket") this.choose(this.ticketOn(number));
    else if (action === "field") find(`[data-field] [data-key='${number}']`)?.click();
    else if (action === "pick") this.pick();
    else if (action === "offer") void this.compose("[data-card]");
    else if (action === "wanted") void this.compose(CHIP);
    else if (action === "next") next(PICKABLE);
    else if (action === "way") next("[data-way]");
    else if (action === "discard") this.discard();
  }

  /** What lies in a menu on narrow pages is clicked there. */
  private async click(action: KeyAction, selectors: readonly string[]): Promise<void> {
    let found = selectors.map(find).find((element) => element !== null);
    if (found == null && ["log", "rules", "settings", "chat"].includes(action)) {
      find("[data-menu]")?.click();
      await tick();
      found = selectors.map(find).find((element) => element !== null);
    }
    if (found?.dataset["settles"] !== undefined) return; // it has just come where something else was
    found?.click();
    const opened = OPENS[action];
    if (opened === undefined) return;
    await tick();
    focusFirst(opened);
  }

  private numbered(number: number): boolean {
    const button = find(
      this.page.letter === "harvest"
        ? `[data-harvest='${number - 1}']`
        : `[data-field] [data-key='${number}']`,
    );
    const harvest = this.page.letter === "harvest";
    this.wait(null);
    if (harvest && button !== null) focusOn(button); // where it is asked once more, Enter confirms
    button?.click();
    return true;
  }

  /** Wait a moment for the number that belongs to a letter. */
  private wait(action: "harvest" | "plant" | null): void {
    clearTimeout(this.timer);
    this.page.letter = action;
    this.say(action === null ? "" : t(action === "harvest" ? "key.which-harvest" : "key.which-plant"));
    if (action !== null) this.timer = setTimeout(() => this.wait(null), WAIT);
  }

  private say(word: string): void {
    this.page.word = word;
  }

  // -- trading ---------------------------------------------------------------------------------------------

  private revision(offer: number): number {
    return trading(this.table.view)?.offers.find((open) => open.id === offer)?.revision ?? 0;
  }

  /** Return the ticket whose number ends in a digit; the next one if several do, and the first is chosen. */
  private ticketOn(digit: number): HTMLElement | undefined {
    const id = (ticket: HTMLElement): number => Number(ticket.dataset["offer"]);
    const tickets = list(TICKET);
    const chosen = document.activeElement?.closest<HTMLElement>(TICKET);
    const found = onDigit(digit, tickets.map(id), chosen == null ? null : id(chosen));
    return tickets.find((ticket) => id(ticket) === found);
  }

  private choose(ticket: HTMLElement | undefined): void {
    if (ticket === undefined) return;
    this.page.ticket = null;
    focusOn(ticket);
    ticket.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Answer the chosen ticket; where none is chosen, or the chosen one has changed, look at it first. */
  private async answer(key: string): Promise<void> {
    const ticket = document.activeElement?.closest<HTMLElement>(TICKET) ?? null;
    if (ticket === null) {
      this.choose(list(TICKET).find((other) => other.querySelector(`[data-key='${key}']`) !== null));
      return;
    }
    const id = Number(ticket.dataset["offer"]);
    if (this.page.ticket !== null && this.revision(id) !== this.page.ticket.revision) {
      this.page.ticket = { id, revision: this.revision(id) };
      this.brief(t("key.changed"));
      return;
    }
    if (key === "a" && ticket.querySelector("[data-pick]") !== null) this.pick();
    else ticket.querySelector<HTMLElement>(`[data-key='${key}']`)?.click();
    if (key !== "c" && key !== "e" && key !== "w") return;
    await tick();
    focusFirst(key === "c" ? CHIP : "[data-card]");
  }

  private brief(word: string): void {
    clearTimeout(this.timer);
    this.say(word);
    this.timer = setTimeout(() => this.say(""), WAIT);
  }

  /** Take the only one who would trade; among several the keyboard goes from one to the next, and Enter takes. */
  private pick(): void {
    const focused = document.activeElement?.closest(TICKET) ?? null;
    const here = focused?.querySelector("[data-pick]") == null ? null : focused;
    const all =
      here === null ? list(`${TICKET} [data-pick]`) : [...here.querySelectorAll<HTMLElement>("[data-pick]")];
    const [first] = all;
    if (first === undefined) return;
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (here === null) this.choose(first.closest<HTMLElement>(TICKET) ?? undefined);
    else if (all.length === 1) first.click();
    else focusOn(all[(at + 1) % all.length] ?? first);
  }

  private async compose(then: string): Promise<void> {
    if (!this.page.selection.open) find("[data-key='o']")?.click();
    await tick();
    if (!this.page.selection.open) return;
    focusFirst(then);
    explaining.hide(); // nobody has asked what the card is to which the keyboard has come
  }

  // -- the duels -------------------------------------------------------------------------------------------

  /** Discard the card that is chosen; where none is, go to those that may be. */
  private discard(): void {
    const chosen =
      find("[data-key='d']") ?? find(":is(li, div):has(> [aria-pressed='true']) > [data-discard]");
    if (chosen !== null) chosen.click();
    else if (this.table.allowed("discard-from-hand").length > 0) focusFirst("[data-card]");
    else focusFirst("[data-discard]");
  }
}
