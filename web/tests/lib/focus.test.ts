import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepFocus } from "../../src/lib/focus";

let end: () => void = () => undefined;

beforeEach(() => {
  vi.spyOn(Element.prototype, "getClientRects").mockReturnValue([{}] as unknown as DOMRectList);
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  end = keepFocus(document.body);
});

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const at = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

test("when a button vanishes, what stood around it has the keyboard, not the next button", async () => {
  document.body.innerHTML = `<main id="main"><section id="offers">
    <article id="one"><button id="a1"></button></article><article id="two"><button id="a2"></button></article>
  </section></main>`;
  at("a1").focus();
  at("one").remove();
  await settled();
  expect(document.activeElement?.id).toBe("offers");
});

test("when a card leaves the hand, the card at its place has the keyboard", async () => {
  document.body.innerHTML = `<main>
    <button id="c0" data-card="0"></button><button id="c1" data-card="1"></button>
  </main>`;
  at("c1").focus();
  at("c1").remove();
  await settled();
  expect(document.activeElement?.id).toBe("c0");
});

test("what was only moved keeps the keyboard", async () => {
  document.body.innerHTML = `<main id="main"><button id="a"></button><button id="b"></button></main>`;
  at("a").focus();
  at("a").blur();
  at("main").append(at("a"));
  await settled();
  expect(document.activeElement?.id).toBe("a");
});

test("whoever taps beside everything has put the keyboard away", async () => {
  document.body.innerHTML = `<main id="main"><button id="a"></button></main>`;
  at("a").focus();
  at("main").dispatchEvent(new Event("pointerdown", { bubbles: true }));
  at("a").remove();
  await settled();
  expect(document.activeElement).toBe(document.body);
});
