import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Answer, Bean, ShownEvent, View } from "../../../src/generated/protocol";
import { TableModel } from "../../../src/lib/model.svelte";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { aimed, toggleHand, want } from "../../../src/table/selection";
import { Selection } from "../../../src/table/state.svelte";
import { addressees, begin, composed, fits, isOpen } from "../../../src/table/offers/actions";
import {
  answersOwn,
  answerTo,
  emptied,
  goneOffers,
  hasChoice,
  noteCounter,
  offersWaiting,
  ordered,
  sides,
  roleOf,
  standsAside,
  acceptance,
  attemptedAcceptance,
} from "../../../src/table/offers/offers";
import { lackText } from "../../../src/table/offers/lacking";
import { ranked } from "../../../src/table/offers/wanted";
import { batch, offer, OWN, takingAll, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));

function trade(offers: readonly ReturnType<typeof offer>[], changes: Partial<View> = {}): View {
  return view({ phase: { phase: "trade", face_up: [4, 1], offers, passes: [] }, ...changes });
}

function table(game: View, changes: Parameters<typeof welcome>[0] = {}): TableModel {
  const made = new TableModel();
  made.welcome(welcome({ game, choices: takingAll(game), ...changes }));
  return made;
}

test("sides are the viewer's: what the maker gives, others get", () => {
  expect(sides(offer(), 0)).toEqual({ give: [2], get: [8] });
  expect(sides(offer(), 1)).toEqual({ give: [8], get: [2] });
});

test("the role of an offer tells mine, for me, claimed, declined and of others", () => {
  const shown = table(trade([offer()]));
  expect(roleOf(offer({ maker: 0 }), shown)).toBe("mine");
  expect(roleOf(offer(), shown)).toBe("for-me");
  expect(roleOf(offer({ claimers: [0] }), shown)).toBe("claimed");
  expect(roleOf(offer({ to: [2] }), shown)).toBe("others");
  expect(roleOf(offer(), table(trade([], { own: { ...OWN, refused: [1] } })))).toBe("declined");
});

test("an offer to the viewer that he cannot take stands aside, as one among others does", () => {
  const game = trade([offer(), offer({ id: 2 }), offer({ id: 3, to: [2] })]);
  const all = takingAll(game);
  const [one] = all?.legal ?? [];
  const shown = table(game, { choices: all === null || one === undefined ? null : { ...all, legal: [one] } });
  const aside = [offer(), offer({ id: 2 }), offer({ id: 3, to: [2] })].map((one) => standsAside(one, shown));
  expect(aside).toEqual([false, true, true]);
  expect(roleOf(offer({ id: 2 }), shown)).toBe("lacking");
});

test("an offer that asks for what the viewer has said he keeps stands aside, and says why", () => {
  const none = { want: [], spare: [] };
  const game = (keep: readonly Bean[]): View =>
    trade([offer()], { talk: { wishes: [{ ...none, keep }, none, none], promises: [], next_promise: 1 } });
  expect(roleOf(offer(), table(game([2])))).toBe("lacking");
  expect(offersWaiting(table(game([2])))).toEqual([]);
  expect(lackText(offer(), table(game([2])))).toContain("You have said that you keep");
  expect(roleOf(offer(), table(game([8])))).toBe("for-me");
});

test("an answer to the viewer's own offer is one to him, though it asks for what he keeps", () => {
  const none = { want: [], spare: [] };
  const talk = { wishes: [{ ...none, keep: [2] as const }, none, none], promises: [], next_promise: 1 };
  const own = offer({ id: 1, maker: 0, to: [1], hand: [5], want: [3] });
  const answer = offer({ id: 2, maker: 1, to: [0], hand: [3], want: [2] });
  const game = trade([own, answer], { talk });
  expect(roleOf(answer, table(game))).toBe("for-me");
  expect(roleOf({ ...answer, hand: [8] }, table(game))).toBe("lacking");
});

test("an offer that the viewer has countered waits no more while his own one to its maker stands", () => {
  const [asked, other] = [offer(), offer({ id: 2, maker: 2 })];
  const counter = offer({ id: 3, maker: 0, to: [1] });
  const shown = table(trade([asked, other, counter]));
  expect(offersWaiting(shown)).toEqual([asked, other]);
  noteCounter(asked, shown, 2);
  expect(offersWaiting(shown)).toEqual([other]);
  expect(roleOf(asked, shown)).toBe("countered");
  const next = trade([asked, other, offer({ id: 4, maker: 0, to: [1] })]);
  shown.welcome(welcome({ game: { ...next, turn: next.turn + 1 }, choices: takingAll(next) }));
  expect(offersWaiting(shown)).toEqual([asked, other]);
  const withdrawn = trade([asked, other]);
  shown.welcome(welcome({ game: withdrawn, choices: takingAll(withdrawn) }));
  expect(offersWaiting(shown)).toEqual([asked, other]);
});

test("an offer that the viewer has countered waits again once its maker has declined his answer", () => {
  const [asked, counter] = [offer(), offer({ id: 3, maker: 0, to: [1] })];
  const declined = (seats: readonly number[]): View =>
    trade([asked, counter], { own: { ...OWN, offers: [{ id: 3, declined: seats, hand: [] }] } });
  const shown = table(declined([]));
  noteCounter(asked, shown, 2);
  expect(offersWaiting(shown)).toEqual([]);
  const next = declined([1]);
  shown.welcome(welcome({ game: next, choices: takingAll(next) }));
  expect(offersWaiting(shown)).toEqual([asked]);
});

test("an offer to the viewer alone answers his own one to its maker about the same kind", () => {
  const own = offer({ id: 2, maker: 0, to: [1, 2], hand: [8], want: [2] });
  const answers = (change: Parameters<typeof offer>[0]): number | undefined => {
    const answer = offer({ id: 3, to: [0], hand: [5], want: [8], ...change });
    return answersOwn(answer, table(trade([own, answer])))?.id;
  };
  expect(answers({})).toBe(2);
  expect(answers({ hand: [2], want: [4] })).toBe(2);
  expect(answers({ hand: [5], want: [4] })).toBeUndefined();
  expect(answers({ to: [0, 2] })).toBeUndefined();
  expect(answers({ id: 1 })).toBeUndefined();
});

test("an offer that the viewer has declined waits no more, and stands aside", () => {
  const shown = table(trade([offer()], { own: { ...OWN, refused: [1] } }));
  expect(offersWaiting(shown)).toEqual([]);
  expect(standsAside(offer(), shown)).toBe(true);
});

test("in a replay, where nobody takes anything, no offer to the viewer is said to be beyond him", () => {
  expect(roleOf(offer(), table(trade([offer()]), { choices: null }))).toBe("for-me");
});

test("offers that wait for the viewer come first, the oldest first", () => {
  const offers = [
    offer({ id: 1, to: [2] }),
    offer({ id: 2, maker: 0, to: [1] }),
    offer({ id: 3 }),
    offer({ id: 4 }),
  ];
  expect(ordered(offers, table(trade(offers))).map(({ id }) => id)).toEqual([3, 4, 2, 1]);
});

test("acceptance finds the legal command of this revision only", () => {
  const legal = [
    { do: "accept-offer", player: 0, offer: 1, revision: 1, hand: [[0, 2]], face_up: [], hand_revision: 4 },
  ] as const;
  expect(acceptance(offer(), legal)).toBe(legal[0]);
  expect(acceptance(offer({ revision: 2 }), legal)).toBeUndefined();
});

/** A table on which the server has said what the viewer would give for offer 1. */
function asked(answer: Answer | null): TableModel {
  const { choices } = welcome();
  const preview = { give: [], get: [], fields: [], homeless: [] };
  return table(trade([]), {
    choices: choices === null ? null : { ...choices, previews: [{ offer: 1, preview, answer }] },
  });
}

test("what would take an offer names the copies of the server, to ask why not", () => {
  const hand = [
    [0, 2],
    [2, 2],
  ] as const;
  expect(attemptedAcceptance(offer(), asked({ hand, face_up: [[1, 1]], choice: false }))).toMatchObject({
    do: "accept-offer",
    hand,
    face_up: [[1, 1]],
    hand_revision: 4,
  });
  expect(
    attemptedAcceptance(offer({ open: true }), asked({ hand, face_up: [], choice: false })),
  ).toMatchObject({
    do: "claim",
    hand,
  });
});

test("an offer to others would be taken with nothing, to ask why not", () => {
  expect(attemptedAcceptance(offer({ to: [2] }), asked(null))).toMatchObject({ hand: [], face_up: [] });
});

test("there is a choice of copies where the server says so", () => {
  expect(hasChoice(offer(), asked({ hand: [[0, 2]], face_up: [], choice: true }))).toBe(true);
  expect(hasChoice(offer(), asked({ hand: [[0, 2]], face_up: [], choice: false }))).toBe(false);
  expect(hasChoice(offer(), asked(null))).toBe(false);
});

test("a gone offer tells that a card is gone, and which", () => {
  const was = trade([offer({ id: 1, hand: [8] })]);
  const traded = {
    event: "traded-shown",
    offer: 2,
    maker: 1,
    partner: 2,
    maker_hand: [8],
    maker_face_up: [],
    partner_hand: [3],
    partner_face_up: [],
    own: [],
  } as const;
  expect(
    goneOffers(was, trade([]), batch({ events: [traded, { event: "offer-voided", offer: 1 }] })),
  ).toMatchObject([{ why: "card-gone", beans: [8] }]);
});

test("a gone offer tells withdrawn, traded and closed apart", () => {
  const was = trade([offer()]);
  const why = (events: Parameters<typeof batch>[0]): unknown =>
    goneOffers(was, trade([]), batch(events))[0]?.why;
  expect(why({ events: [{ event: "offer-withdrawn", offer: 1 }] })).toBe("withdrawn");
  expect(
    why({
      events: [
        {
          event: "traded-shown",
          offer: 1,
          maker: 1,
          partner: 0,
          maker_hand: [8],
          maker_face_up: [],
          partner_hand: [2],
          partner_face_up: [],
          own: [[0, 2]],
        },
      ],
    }),
  ).toBe("traded");
  expect(why({ events: [{ event: "trading-closed", player: 1 }] })).toBe("closed");
});

/** What somebody saw when an offer fell in a played game, and why it did by the rules. */
interface Fallen {
  readonly viewer: number | null;
  readonly was: Pick<View, "viewer" | "phase" | "own">;
  readonly now: Pick<View, "viewer" | "phase" | "own">;
  readonly events: readonly ShownEvent[];
  readonly offer: number;
  readonly why: string;
  readonly beans: readonly number[];
}

const FALLEN = JSON.parse(readFileSync("tests/table/offers/fallen.json", "utf-8")) as readonly Fallen[];

test.each(FALLEN.map((fallen) => [`${fallen.why}, seen by ${fallen.viewer}`, fallen] as const))(
  "offers of played games are gone for the reason of the rules: %s",
  (_, { was, now, events, offer: id, why, beans }) => {
    const found = goneOffers(view(was), view(now), batch({ events })).find((gone) => gone.offer.id === id);
    expect(found?.why).toBe(why);
    if (was.own?.offers.some((own) => own.id === id) === true)
      expect(found?.beans.toSorted((a, b) => a - b)).toEqual(beans);
    else expect(found?.beans).toEqual(expect.arrayContaining([...beans]));
  },
);

test("an edited offer is not gone", () => {
  expect(goneOffers(trade([offer()]), trade([offer({ revision: 2 })]), batch())).toEqual([]);
});

test("raised cards stay the same cards when others leave the hand", () => {
  const left = emptied(
    batch({
      events: [
        {
          event: "traded-shown",
          offer: 1,
          maker: 0,
          partner: 1,
          maker_hand: [2],
          maker_face_up: [],
          partner_hand: [8],
          partner_face_up: [],
          own: [[2, 2]],
        },
      ],
    }),
    0,
  );
  expect(left).toEqual([2]);
  expect(left.reduce((places, place) => [...aimed(places, place)], [1, 2, 4])).toEqual([1, 3]);
});

test("another's planting moves nothing in one's own hand", () => {
  expect(emptied(batch({ events: [{ event: "planted", player: 1, field: 0, bean: 2 }] }), 0)).toEqual([]);
});

test("an offer is composed of what is raised and wanted, sorted, to everybody it may concern", () => {
  const shown = table(trade([]));
  const selection = new Selection();
  toggleHand(selection, 1);
  want(selection, 9);
  want(selection, 2);
  expect(composed(selection, shown)).toEqual({
    do: "make-offer",
    player: 0,
    to: [1],
    hand: [[1, 8]],
    face_up: [],
    want: [2, 9],
    open: false,
    hand_revision: 4,
  });
});

test("the active player's offer to several is open unless he wants the first taker", () => {
  const shown = table(trade([], { active_player: 0 }), {
    choices: {
      legal: [],
      previews: [],
      gifts: [],
      discards: [],
      offers: {
        partners: [1, 2],
        hand: [],
        face_up: [],
        kinds: [],
        hand_revision: 4,
        slots: 6,
        may_be_open: true,
      },
    },
  });
  const selection = new Selection();
  expect([addressees(selection, shown), isOpen(selection, shown)]).toEqual([[1, 2], true]);
  selection.letMeChoose = false;
  expect(isOpen(selection, shown)).toBe(false);
  selection.letMeChoose = null;
  selection.to = [2];
  expect(isOpen(selection, shown)).toBe(false);
});

test("a counter-offer is prefilled with the other way round", () => {
  const shown = asked({ hand: [[0, 2]], face_up: [], choice: true });
  const selection = new Selection();
  begin(selection, shown, { is: "counter", offer: offer() });
  expect([selection.hand, selection.want, selection.to]).toEqual([[0], [8], [1]]);
});

test("an answer fits when it has exactly the wanted kinds, whichever copies", () => {
  const shown = asked({ hand: [[0, 2]], face_up: [], choice: true });
  const selection = new Selection();
  begin(selection, shown, { is: "accept", offer: offer() });
  expect(fits(selection, shown, offer())).toBe(true);
  selection.hand = [2];
  expect(fits(selection, shown, offer())).toBe(true);
  selection.hand = [1];
  expect(fits(selection, shown, offer())).toBe(false);
});

test("what is known of a kind is told of those whom one may ask", () => {
  const game = view();
  const wishes: View["talk"]["wishes"] = [1, 2, 3].map(() => ({ want: [], spare: [5] }));
  const known = ranked([5], { ...game, talk: { ...game.talk, wishes } }, 0, [2])[0];
  expect(known?.spare).toEqual([2]);
});

test("kinds on own fields come first, in the order of the fields, then the rest by their numbers", () => {
  const game = view();
  const players = game.players.map((player, seat) =>
    seat === 0 ? { ...player, fields: [[9], [5]] } : player,
  ) as View["players"];
  const order = (wishes: View["talk"]["wishes"]): readonly Bean[] =>
    ranked([0, 1, 5, 9], { ...game, players, talk: { ...game.talk, wishes } }, 0, [1, 2]).map(
      ({ bean }) => bean,
    );
  const nobody = { want: [], spare: [] };
  expect(order([nobody, nobody, nobody])).toEqual([9, 5, 0, 1]);
  expect(order([nobody, { want: [], spare: [1] }, { want: [1], spare: [] }])).toEqual([9, 5, 0, 1]);
});

test("an offer of the viewer that came before or after is not his answer", () => {
  const [asked, before] = [offer({ id: 1 }), offer({ id: 2, maker: 0, to: [1] })];
  const [counter, free] = [offer({ id: 3, maker: 0, to: [1] }), offer({ id: 4, maker: 0, to: [1] })];
  const shown = table(trade([asked, before, counter, free]));
  noteCounter(asked, shown, 2);
  expect(answerTo(asked, shown)).toEqual(counter);
});
