import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { Keyboard } from "../../../src/board/keys/keyboard";
import { TableModel } from "../../../src/lib/model.svelte";
import { toggleHand, want } from "../../../src/table/selection";
import { PageState } from "../../../src/table/state.svelte";
import { settings } from "../../../src/lib/settings.svelte";
import { offer, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));

let table: TableModel;
let state: PageState;
let keyboard: Keyboard;
let clicked: string[];

function trade(offers: readonly ReturnType<typeof offer>[]): View {
  return view({ phase: { phase: "trade", face_up: [], offers, passes: [] } });
}

function page(html: string): void {
  document.body.innerHTML = html;
  for (const button of document.querySelectorAll("button"))
    button.addEventListener("click", () => clicked.push(button.id));
}

/** Press a key where the keyboard is; tells whether it was taken. */
function press(key: string, init: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  vi.spyOn(Element.prototype, "getClientRects").mockReturnValue([{}] as unknown as DOMRectList);
  Element.prototype.scrollIntoView = () => undefined;
  settings.keys = true;
  clicked = [];
  table = new TableModel();
  table.welcome(welcome({ game: trade([offer({ id: 5 }), offer({ id: 6 })]) }));
  state = new PageState();
  keyboard = new Keyboard(state, table);
  addEventListener("keydown", keyboard.press);
  addEventListener("focusin", keyboard.come);
});

afterEach(() => {
  removeEventListener("keydown", keyboard.press);
  removeEventListener("focusin", keyboard.come);
  vi.restoreAllMocks();
});

const TICKETS = [5, 6]
  .map(
    (id) =>
      `<article data-offer="${id}" tabindex="-1">
          <button id="a${id}" data-key="a"></button><button id="d${id}" data-key="d"></button>
        </article>`,
  )
  .join("");

test("a number goes to a ticket, a letter clicks its button there", () => {
  page(TICKETS);
  press("6");
  expect(document.activeElement).toHaveProperty("dataset.offer", "6");
  press("a");
  expect(clicked).toEqual(["a6"]);
});

test("a digit goes to the tickets whose numbers end in it, one after the other", () => {
  const ticket = (id: number): string => `<article data-offer="${id}" tabindex="-1"></article>`;
  page([3, 10, 13].map(ticket).join(""));
  const chosen = ["3", "3", "3", "0"].map((digit) => {
    press(digit);
    return document.activeElement instanceof HTMLElement ? document.activeElement.dataset["offer"] : "";
  });
  expect(chosen).toEqual(["3", "13", "3", "10"]);
});

test("without a chosen ticket the first letter only goes to one", () => {
  page(TICKETS);
  press("d");
  expect(clicked).toEqual([]);
  press("d");
  expect(clicked).toEqual(["d5"]);
});

test("an offer that has changed since it was chosen is not accepted by the next key", () => {
  page(TICKETS);
  press("5");
  table.welcome(welcome({ game: trade([offer({ id: 5, revision: 2 }), offer({ id: 6 })]) }));
  press("a");
  expect(clicked).toEqual([]);
  expect(state.word).not.toBe("");
  press("a");
  expect(clicked).toEqual(["a5"]);
});

test("letters are letters where one types, and with Ctrl", () => {
  page(`<input id="chat" />${TICKETS}`);
  document.getElementById("chat")?.focus();
  expect(press("2")).toBe(false);
  document.getElementById("chat")?.blur();
  expect(press("2", { ctrlKey: true })).toBe(false);
  expect(document.activeElement).toBe(document.body);
});

test("letters play nothing while a sheet beside the table has the focus", () => {
  page(
    `<div role="dialog"><button id="in" tabindex="0"></button></div><button id="end" data-key="."></button>`,
  );
  document.getElementById("in")?.focus();
  expect(press(".")).toBe(false);
  document.getElementById("in")?.blur();
  press(".");
  expect(clicked).toEqual(["end"]);
});

test("without the setting no character acts, but Escape does", () => {
  settings.keys = false;
  page(`${TICKETS}<button id="shut" data-key="Escape"></button>`);
  expect(press("1")).toBe(false);
  expect(press("Escape")).toBe(true);
  expect(clicked).toEqual(["shut"]);
});

test("h and a number harvest, another key between them forgets the h", () => {
  page(`<button id="h1" data-harvest="0"></button><button id="h2" data-harvest="1"></button>${TICKETS}`);
  press("h");
  expect(state.word).not.toBe("");
  press("2");
  expect(clicked).toEqual(["h2"]);
  press("h");
  press("Escape");
  press("5");
  expect(clicked).toEqual(["h2"]);
  expect(document.activeElement).toHaveProperty("dataset.offer", "5");
});

test("a number plants on its field while one plants, and so does f with a number", () => {
  table.welcome(welcome({ game: view({ phase: { phase: "plant", planted: 0 } }) }));
  page(
    `<li data-field="0"><button id="f1" data-key="1"></button></li>
      <li data-field="1"><button id="f2" data-key="2"></button></li>`,
  );
  press("2");
  press("f");
  press("1");
  expect(clicked).toEqual(["f2", "f1"]);
});

test("Enter sends a trade from the cards, and only looks at the button of a gift", () => {
  page(
    `<button id="card" data-card="0"></button>
      <section data-tray><button id="send" data-key="Enter"></button></section>`,
  );
  document.getElementById("card")?.focus();
  toggleHand(state.selection, 0);
  press("Enter");
  expect(clicked).toEqual([]);
  expect(document.activeElement?.id).toBe("send");
  document.getElementById("card")?.focus();
  want(state.selection, 4);
  press("Enter");
  expect(clicked).toEqual(["send"]);
});

test("Enter sends from the button of the ticket that has opened the tray, and from no other of it", () => {
  page(
    `<article data-offer="5"><button id="w5" data-key="w"></button><button id="d5" data-key="d"></button></article>
      <section data-tray><button id="send" data-key="Enter"></button></section>`,
  );
  state.selection.purpose = { is: "accept", offer: offer({ id: 5 }) };
  state.selection.open = true;
  toggleHand(state.selection, 0);
  want(state.selection, 4);
  document.getElementById("w5")?.focus();
  press("Enter");
  expect(clicked).toEqual(["send"]);
  document.getElementById("d5")?.focus();
  expect(press("Enter")).toBe(false);
});

test("Enter is that of a card or a kind as long as nothing could be sent", () => {
  page(
    `<button id="card" data-card="0"></button>
      <section data-tray><button id="send" data-key="Enter" aria-disabled="true"></button></section>`,
  );
  document.getElementById("card")?.focus();
  state.selection.open = true;
  expect(press("Enter")).toBe(false);
  expect(clicked).toEqual([]);
});

test("the letter that accepts picks whoever would take the chosen own offer", () => {
  page(`<article data-offer="5" tabindex="-1"><button id="pick" data-pick="1"></button></article>`);
  press("5");
  press("a");
  expect(clicked).toEqual(["pick"]);
});

test("the letter that picks goes to an offer with claims from any other", () => {
  page(`${TICKETS}<article data-offer="7" tabindex="-1"><button id="pick" data-pick="1"></button></article>`);
  press("5");
  press("p");
  expect(document.activeElement).toHaveProperty("dataset.offer", "7");
  press("p");
  expect(clicked).toEqual(["pick"]);
});

test("Enter is a button's own where no offer is put together", () => {
  page(`<button id="card" data-card="0"></button><button id="send" data-key="Enter"></button>`);
  document.getElementById("card")?.focus();
  expect(press("Enter")).toBe(false);
});

function wanted(name: string): string {
  return `<button id="${name}" data-want="${name}"></button>`;
}

test("on a kind plus and minus count", () => {
  page(
    `<button id="less-blue" data-less="blue"></button>
    <div data-wants>${["blue", "red"].map(wanted).join("")}</div>`,
  );
  state.selection.open = true;
  document.getElementById("blue")?.focus();
  press("+");
  press("-");
  expect(clicked).toEqual(["blue", "less-blue"]);
});

test("a letter means on a kind what it means everywhere", () => {
  page(
    `<button id="log" data-key="l"></button><div data-wants>${["blue", "red"].map(wanted).join("")}</div>`,
  );
  state.selection.open = true;
  document.getElementById("blue")?.focus();
  press("l");
  expect(clicked).toEqual(["log"]);
});

test("o opens the tray and goes to the hand, g goes to the kinds", async () => {
  page(
    `<button id="o" data-key="o"></button><button id="card" data-card="0"></button>
      <div data-wants><button id="kind"></button></div>`,
  );
  document.getElementById("o")?.addEventListener("click", () => (state.selection.open = true));
  press("o");
  await vi.waitFor(() => expect(document.activeElement?.id).toBe("card"));
  press("g");
  await vi.waitFor(() => expect(document.activeElement?.id).toBe("kind"));
});

test("p takes the only one who would trade, and goes among several", () => {
  page(
    `<article data-offer="5" tabindex="-1">
        <button id="p1" data-pick="1"></button><button id="p2" data-pick="2"></button>
      </article>
      <article data-offer="6" tabindex="-1"><button id="q1" data-pick="1"></button></article>`,
  );
  press("6");
  press("p");
  expect(clicked).toEqual(["q1"]);
  press("5");
  press("p");
  expect(document.activeElement?.id).toBe("p1");
  press("p");
  expect(document.activeElement?.id).toBe("p2");
  expect(clicked).toEqual(["q1"]);
});

test("a held key acts once", () => {
  page(`<button id="end" data-key="."></button>`);
  press(".");
  expect(press(".", { repeat: true })).toBe(true);
  expect(clicked).toEqual(["end"]);
});

test("a question mark shows the keys", () => {
  page("");
  press("?");
  expect(state.help).toBe(true);
});
