import { beforeAll, expect, test } from "vitest";
import type { Batch, ShownEvent, View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { TableModel } from "../../../src/lib/model.svelte";
import { notices, speech, type Notice } from "../../../src/table/announcing/announce";
import { batch, offer, OWN, takingAll, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));

function trade(offers: readonly ReturnType<typeof offer>[], changes: Partial<View> = {}): View {
  return view({ phase: { phase: "trade", face_up: [4, 1], offers, passes: [] }, ...changes });
}

/** Return what a batch has to say at a table that shows what it led to. */
function said(
  events: readonly ShownEvent[],
  now: View,
  was: View = now,
  changes: Partial<Batch> = {},
): Notice[] {
  const table = new TableModel();
  table.welcome(welcome({ game: now, choices: takingAll(now) }));
  return notices(batch({ events, ...changes }), was, table);
}

const texts = (found: readonly Notice[]): string[] => found.map((notice) => notice.text);

function spoken(found: readonly Notice[], now: View = trade([])) {
  const table = new TableModel();
  table.welcome(welcome({ game: now, choices: takingAll(now) }));
  return speech(found, table);
}

test("an offer to the viewer is called out as a sentence from his side", () => {
  const [notice] = said(
    [{ event: "offer-shown", offer: offer(), edited: false }],
    trade([offer()]),
    trade([]),
  );
  expect(notice).toMatchObject({
    weight: "call",
    text: "Bert offers you 1 blue bean for 1 red bean of yours.",
  });
});

test("an offer among others is no news", () => {
  const among = offer({ to: [2] });
  expect(said([{ event: "offer-shown", offer: among, edited: false }], trade([among]), trade([]))).toEqual(
    [],
  );
});

test("an offer that is changed and goes to others now is told to be gone", () => {
  const now = offer({ to: [2], revision: 2 });
  const [notice] = said([{ event: "offer-shown", offer: now, edited: true }], trade([now]), trade([offer()]));
  expect(notice?.text).toContain("Bert offers you 1 blue bean");
  expect(notice?.weight).toBe("news");
});

test("a claim on an own offer is called out, one on another's is not told", () => {
  const own = offer({ maker: 0, to: [1, 2], open: true });
  const event = { event: "claim-shown", offer: 1, revision: 1, player: 2 } as const;
  expect(said([event], trade([own]))).toMatchObject([
    { weight: "call", text: expect.stringContaining("Chiyo says yes.") },
  ]);
  expect(said([event], trade([offer({ to: [0, 2], open: true })]))).toEqual([]);
});

test("the last call is called out to those who do not end the trading", () => {
  const event = { event: "last-call-began", turn: 3, until: 0 } as const;
  expect(said([event], trade([]))).toMatchObject([{ weight: "call", text: "Bert ends trading. Last call!" }]);
  expect(said([event], trade([], { active_player: 0 }))).toMatchObject([{ weight: "news" }]);
});

test("one's own turn is called out with what is to be done, another's is news", () => {
  const mine = view({ active_player: 0, turn: 4, phase: { phase: "plant", planted: 0 } });
  const turn = (player: number): ShownEvent => ({ event: "turn-began", player, leftovers: [] });
  const found = said([turn(0)], mine, view({ phase: { phase: "plant-traded" } }), { by: 1 });
  expect(found.map(({ weight }) => weight)).toEqual(["call", "call"]);
  expect(said([turn(2)], view({ active_player: 2, phase: { phase: "plant", planted: 0 } }))).toMatchObject([
    { weight: "news" },
  ]);
});

test("the game calls once for what it waits for, not with every batch", () => {
  const players = view().players.map((player, seat) =>
    seat === 0 ? { ...player, set_aside: [2, 2] as const } : player,
  );
  const now = view({ players, phase: { phase: "plant-traded" }, waiting: [0] });
  expect(texts(said([], now, trade([])))).toEqual([
    "Plant what was set aside for you: 2 red beans. No field takes it: harvest one first.",
  ]);
  expect(
    said([{ event: "set-aside-planted", player: 1, place: 0, field: 0, bean: 4 }], now, now).filter(
      ({ weight }) => weight === "call",
    ),
  ).toEqual([]);
});

test("offers that a card's leaving has ended are told to whom they concerned", () => {
  const events: ShownEvent[] = [
    {
      event: "traded-shown",
      offer: 9,
      maker: 1,
      partner: 2,
      maker_hand: [8],
      maker_face_up: [],
      partner_hand: [3],
      partner_face_up: [],
      own: [],
    },
    { event: "offer-voided", offer: 1 },
  ];
  expect(texts(said(events, trade([]), trade([offer()]))).at(-1)).toContain("a card is gone");
  expect(texts(said(events, trade([]), trade([offer({ to: [2] })])))).toHaveLength(1);
  expect(
    texts(
      said(
        events,
        trade([], { own: { ...OWN, refused: [1] } }),
        trade([offer()], { own: { ...OWN, refused: [1] } }),
      ),
    ),
  ).toHaveLength(1);
});

test("hidden drawing and the claims of others are left out", () => {
  const events: ShownEvent[] = [
    { event: "drew-hidden", player: 1, count: 3 },
    { event: "claim-voided", offer: 1, player: 2 },
    { event: "offer-voided", offer: 1 },
  ];
  expect(said(events, trade([offer()]))).toEqual([]);
});

test("plantings of one player that follow one another become one sentence", () => {
  const events: ShownEvent[] = [
    { event: "set-aside-planted", player: 1, place: 0, field: 0, bean: 2 },
    { event: "set-aside-planted", player: 1, place: 0, field: 0, bean: 2 },
    { event: "set-aside-planted", player: 1, place: 0, field: 1, bean: 4 },
    { event: "set-aside-planted", player: 2, place: 0, field: 1, bean: 9 },
  ];
  const { news } = spoken(said(events, view({ phase: { phase: "plant-traded" } })));
  expect(news).toEqual([
    "Bert plants 2 red beans and 1 soy bean.",
    "Chiyo plants a wax bean from the market in field 2.",
  ]);
});

test("an offer that is gone again before it is said is not said", () => {
  const found = said([{ event: "offer-shown", offer: offer(), edited: false }], trade([offer()]), trade([]));
  expect(spoken(found, trade([offer()])).calls).toHaveLength(1);
  expect(spoken(found, trade([offer({ revision: 2 })])).calls).toEqual([]);
  expect(spoken(found, trade([])).calls).toEqual([]);
});

test("of many offers at once only the number is said", () => {
  const offers = [1, 2, 3].map((id) => offer({ id }));
  const found = offers.map((open): Notice => ({ text: `offer ${open.id}`, weight: "call", offer: open }));
  expect(spoken(found.slice(0, 2), trade(offers)).calls).toEqual(["offer 1", "offer 2"]);
  expect(spoken(found, trade(offers)).calls).toEqual(["There are 3 new offers to you."]);
});

test("a flood leaves out talk first, then says how much more there was", () => {
  const news = (text: string): Notice => ({ text, weight: "news" });
  const talk: Notice[] = Array.from({ length: 9 }, (_, at) => ({
    text: `talk ${at}`,
    weight: "talk" as const,
  }));
  expect(spoken([...talk, news("trade")]).news).toEqual(["trade"]);
  const many = spoken(Array.from({ length: 12 }, (_, at) => news(`news ${at}`))).news;
  expect(many).toHaveLength(6);
  expect(many[0]).toBe("7 more things have happened.");
  expect(many.at(-1)).toBe("news 11");
});

test("the same thing is said once", () => {
  expect(
    spoken([
      { text: "again", weight: "news" },
      { text: "again", weight: "news" },
    ]).news,
  ).toEqual(["again"]);
});

test("what came behind a broken line is history: it reaches no watcher", () => {
  const table = new TableModel();
  table.welcome(welcome());
  const heard: number[] = [];
  table.watch({ after: ({ seq }) => heard.push(seq) });
  table.welcome(welcome({ seq: 14, fresh: false }));
  for (const seq of [11, 12, 13, 14, 15])
    table.take(batch({ seq, events: [{ event: "turn-began", player: 0, leftovers: [] }] }));
  expect(heard).toEqual([15]);
});
