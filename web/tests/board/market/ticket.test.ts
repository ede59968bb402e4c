import { beforeAll, expect, test } from "vitest";
import LackingLine from "../../../src/board/market/LackingLine.svelte";
import OthersLine from "../../../src/board/market/OthersLine.svelte";
import Ticket from "../../../src/board/market/Ticket.svelte";
import type { AnyCommand, Bean, OfferView } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { explaining } from "../../../src/lib/explain.svelte";
import { click, liveTable, show } from "../../mounted";
import { offer, OWN, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));

const ACCEPT: AnyCommand = {
  do: "accept-offer",
  player: 0,
  offer: 1,
  revision: 1,
  hand: [[0, 2]],
  face_up: [],
  hand_revision: 4,
};

const HARVEST: AnyCommand = { do: "harvest", player: 0, field: 0 };
const BUY: AnyCommand = { do: "buy-field", player: 0, coins: [] };

interface Case {
  readonly shown?: OfferView;
  /** The offers that the viewer has declined. */
  readonly refused?: readonly number[];
  /** What would find no field. */
  readonly homeless?: readonly Bean[];
  readonly slim?: boolean;
  /** What may be done besides accepting it. */
  readonly legal?: readonly AnyCommand[];
}

function table({ shown = offer(), refused = [], homeless = [], legal = [] }: Case) {
  const { choices } = welcome();
  const preview = { give: [2], get: [8], fields: [], homeless } as const;
  const answer = { hand: [[0, 2]], face_up: [], choice: true } as const;
  return liveTable({
    game: view({
      own: { ...OWN, refused },
      phase: { phase: "trade", face_up: [], offers: [shown], passes: [] },
    }),
    choices:
      choices === null
        ? null
        : { ...choices, legal: [ACCEPT, ...legal], previews: [{ offer: 1, preview, answer }] },
  });
}

function ticket(given: Case = {}) {
  const [live, socket] = table(given);
  return { ...show(Ticket, live, { offer: given.shown ?? offer(), slim: given.slim ?? false }), socket };
}

const keys = (box: HTMLElement): (string | undefined)[] =>
  [...box.querySelectorAll<HTMLElement>("[data-key]")].map((button) => button.dataset["key"]);

test("an offer to the viewer is accepted, with other copies too, countered or declined", () => {
  const { box, socket } = ticket();
  expect(keys(box)).toEqual(["a", "w", "c", "d"]);
  click(box, "[data-key='a']");
  expect(socket.sent.at(-1)?.command).toEqual(ACCEPT);
});

/** Return what stands on a ticket for what goes and what comes. */
const sidesOf = (box: HTMLElement): string[] =>
  [...box.querySelectorAll("dl dt, dl dd")].map((line) => line.textContent?.trim() ?? "");

test("who is asked for a gift reads that it is his, not the asker's", () => {
  const { box } = ticket({ shown: offer({ hand: [], face_up: [] }) });
  expect(sidesOf(box)[3]).toBe("nothing: your gift");
});

test("between others the side that is empty is nothing: who gives stands above it", () => {
  const asks = ticket({ shown: offer({ hand: [], face_up: [], to: [2] }) });
  expect(sidesOf(asks.box)[1]).toBe("nothing");
  const gives = ticket({ shown: offer({ want: [], to: [2] }) });
  expect(sidesOf(gives.box)[3]).toBe("nothing");
  expect([sidesOf(gives.box)[0], sidesOf(gives.box)[2]]).toEqual(["Bert gives", "Bert gets"]);
});

test("an offer that was declined says so, and no button of it asks to be pressed", () => {
  const { box } = ticket({ refused: [1] });
  expect(box.querySelector("h3")?.textContent).toContain("You said no");
  expect(box.querySelector(".main")).toBeNull();
});

test("an offer that was declined can still be accepted, with other copies too", () => {
  const { box, page } = ticket({ refused: [1] });
  expect(keys(box)).toEqual(["a", "w", "c"]);
  click(box, "[data-key='w']");
  expect(page.selection.purpose.is).toBe("accept");
  expect(box.querySelector(".in-tray")).not.toBeNull();
});

test("keys reach all buttons of an offer in one line", () => {
  expect(keys(ticket({ slim: true }).box)).toEqual(["a", "w", "c", "d"]);
});

test("a decline names the viewer, a withdrawal the maker", () => {
  const { box, socket } = ticket();
  click(box, "[data-key='d']");
  expect(socket.sent.at(-1)?.command).toMatchObject({ do: "decline-offer", player: 0 });
  const own = ticket({ shown: offer({ maker: 0, to: [1, 2] }) });
  click(own.box, "[data-key='v']");
  expect(own.socket.sent.at(-1)?.command).toMatchObject({ do: "withdraw-offer", player: 0 });
});

test("what would find no field is not recommended", () => {
  expect(ticket().box.querySelector(".main")).not.toBeNull();
  expect(ticket({ homeless: [8] }).box.querySelector(".main")).toBeNull();
});

test("what would find no field tells how room can be made now, and nothing that cannot", () => {
  const told = (...legal: AnyCommand[]): string =>
    ticket({ homeless: [8], legal })
      .box.querySelector(".no-field")
      ?.textContent.trim() ?? "";
  expect(told(HARVEST, BUY)).toBe("blue: harvest or buy a field");
  expect(told(HARVEST)).toBe("blue: harvest first");
  expect(told(BUY)).toBe("blue: buy a field first (3)");
  expect(told()).toBe("blue: no field");
});

test("an own offer with claims says how many there are, and the offer of others has no buttons", () => {
  const claimed = ticket({ shown: offer({ maker: 0, to: [1, 2], open: true, claimers: [2] }) });
  expect(claimed.box.querySelector(".has-claims")).not.toBeNull();
  expect(keys(ticket({ shown: offer({ to: [2] }) }).box)).toEqual([]);
});

test("the coins of a claimer are drawn for the eye, and said in brackets apart from what the button does", () => {
  const { box } = ticket({ shown: offer({ maker: 0, to: [1, 2], open: true, claimers: [1, 2] }) });
  const drawn = box.querySelector("[data-pick='2'] .has");
  expect(drawn?.getAttribute("aria-hidden")).toBe("true");
  expect(drawn?.querySelector("svg")).not.toBeNull();
  expect(drawn?.textContent.trim()).toBe("0");
  expect(box.querySelector("[data-pick='2'] .hidden")?.textContent).toBe("(has 0 coins)");
});

test("the coins of the only claimer are not drawn, where they would look like his price", () => {
  const { box } = ticket({ shown: offer({ maker: 0, to: [1, 2], open: true, claimers: [2] }) });
  expect(box.querySelector("[data-pick='2']")).not.toBeNull();
  expect(box.querySelector("[data-pick] .has")).toBeNull();
});

test("what cannot be taken says which card is missing, and how many there are", () => {
  const shown = offer({ id: 7, want: [8, 8, 8] });
  const [live] = table({ shown });
  const { box } = show(LackingLine, live, { offer: shown, table: live });
  const accept = box.querySelector<HTMLElement>("[data-key='a']");
  expect(accept?.getAttribute("aria-disabled")).toBe("true");
  accept?.click();
  expect(explaining.note?.text).toMatch(/ asks for 3 blue beans; you have only 1\.$/);
  expect(explaining.note?.clause).toBe("OFFER-3");
});

test("the button of a claimer says what it does", () => {
  const { box } = ticket({ shown: offer({ maker: 0, to: [1, 2], open: true, claimers: [2] }) });
  expect(box.querySelector("[data-pick]")?.textContent).toContain("Trade with Chiyo");
});

test("a line that the viewer lacks the beans for says what is looked for first, one among others who gives", () => {
  const rows = (box: HTMLElement): readonly string[] =>
    [...box.querySelectorAll(".beans .row")].map((row) => row.textContent);
  const others = offer({ to: [2], want: [8, 8] });
  const { box } = show(OthersLine, table({ shown: others })[0], { offer: others });
  expect(box.textContent.replace(/\s+/g, " ")).toMatch(/^ ?Bert gives blue → Chiyo 2 × blue/);
  const lacking = offer({ want: [8, 8] });
  const [live] = table({ shown: lacking });
  const line = show(LackingLine, live, { offer: lacking, table: live }).box;
  for (const [wanted, gives] of [rows(box).toReversed(), rows(line)]) {
    expect(wanted).toContain("2 ×");
    expect(gives).not.toContain("2 ×");
  }
});

test("a gift among others is said to be given", () => {
  const shown = offer({ to: [2], want: [] });
  const { box } = show(OthersLine, table({ shown })[0], { offer: shown });
  expect(box.textContent.replace(/\s+/g, " ")).toMatch(/^ ?Bert gives .*→ Chiyo/);
  expect(box.querySelectorAll(".beans .row")).toHaveLength(1);
});

test("what cannot be taken is countered by its line, and declined by its key", () => {
  const shown = offer({ id: 7, want: [8, 8, 8] });
  const [live, socket] = table({ shown });
  const { box, page } = show(LackingLine, live, { offer: shown, table: live });
  expect(box.querySelector(".line")?.textContent.replace(/\s+/g, " ")).toContain("Bert looks for");
  click(box, "[data-key='d']");
  expect(socket.sent.at(-1)?.command).toMatchObject({ do: "decline-offer", player: 0, offer: 7 });
  click(box, "[data-key='c']");
  expect(page.selection.purpose).toMatchObject({ is: "counter", offer: { id: 7 } });
});

test("whoever lacks a field only for what he has set aside is told so", () => {
  const game = view({ phase: { phase: "trade", face_up: [], offers: [offer()], passes: [] } });
  const set_aside = (cards: readonly Bean[]): string => {
    const players = game.players.map(
      (player) => ({ ...player, fields: [[3], []], set_aside: cards }) as const,
    );
    const { choices } = welcome();
    if (choices === null) throw new Error("somebody plays");
    const preview = { give: [2], get: [8], fields: [], homeless: [8] } as const;
    const answer = { hand: [[0, 2]], face_up: [], choice: true } as const;
    const [live] = liveTable({
      game: { ...game, players },
      choices: { ...choices, legal: [ACCEPT, HARVEST], previews: [{ offer: 1, preview, answer }] },
    });
    return show(Ticket, live, { offer: offer() }).box.querySelector(".no-field")?.textContent ?? "";
  };
  expect(set_aside([4])).toContain("blue: set-aside cards need the free field");
  expect(set_aside([])).toContain("blue: harvest first");
  expect(set_aside([3])).toContain("blue: harvest first"); // it has a field, so the free one is for something else
});

test("an own offer that one would take says who that is", () => {
  const { box } = ticket({ shown: offer({ maker: 0, to: [1, 2], open: true, claimers: [1] }) });
  expect(box.querySelector("h3")?.textContent).toContain("Bert says yes: confirm.");
});

test("an own offer that nobody is left to take says so above, and is taken back with one press", () => {
  const refused = (declined: readonly number[]) => {
    const shown = offer({ maker: 0, to: [1, 2] });
    const own = { ...OWN, offers: [{ id: 1, hand: [], declined }] };
    const game = view({ own, phase: { phase: "trade", face_up: [], offers: [shown], passes: [] } });
    const [live, socket] = liveTable({ game });
    return { ...show(Ticket, live, { offer: shown }), socket };
  };
  expect(refused([1]).box.querySelector("h3")?.textContent).toContain("Your offer to");
  const { box, socket } = refused([1, 2]);
  expect(box.querySelector("h3")?.textContent.trim()).toBe("All have declined");
  expect(box.querySelector(".who")?.textContent).toContain("Your offer to");
  click(box, "[data-key='v']");
  expect(socket.sent.at(-1)?.command).toMatchObject({ do: "withdraw-offer", offer: 1 });
});
