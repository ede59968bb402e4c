import { expect, test } from "vitest";
import type { View } from "../../src/generated/protocol";
import { TableModel } from "../../src/lib/model.svelte";
import { aimed, Selection } from "../../src/lib/selection.svelte";
import { addressees, begin, composed, fits, isOpen } from "../../src/tray/deeds";
import { emptied, frontMost, ghosts, hasChoice, ordered, sides, standing, taking, wouldTake } from "../../src/tray/offers";
import { ranked } from "../../src/tray/wanted";
import { batch, offer, OWN, view, welcome } from "../sample";

function trade(offers: readonly ReturnType<typeof offer>[], changes: Partial<View> = {}): View {
  return view({ phase: { phase: "trade", face_up: [4, 1], offers, passes: [] }, ...changes });
}

function table(game: View, changes: Parameters<typeof welcome>[0] = {}): TableModel {
  const made = new TableModel();
  made.welcome(welcome({ game, ...changes }));
  return made;
}

test("sides are the viewer's: what the maker gives, others get", () => {
  expect(sides(offer(), 0)).toEqual({ give: [2], get: [8] });
  expect(sides(offer(), 1)).toEqual({ give: [8], get: [2] });
});

test("standing tells mine, for me, claimed, declined and of others", () => {
  const shown = table(trade([]));
  expect(standing(offer({ maker: 0 }), shown)).toBe("mine");
  expect(standing(offer(), shown)).toBe("for-me");
  expect(standing(offer({ claimers: [0] }), shown)).toBe("claimed");
  expect(standing(offer({ to: [2] }), shown)).toBe("others");
  expect(standing(offer(), table(trade([], { own: { ...OWN, refused: [1] } })))).toBe("declined");
});

test("offers that wait for the viewer come first, the oldest first", () => {
  const offers = [offer({ id: 1, to: [2] }), offer({ id: 2, maker: 0, to: [1] }), offer({ id: 3 }), offer({ id: 4 })];
  expect(ordered(offers, table(trade(offers))).map(({ id }) => id)).toEqual([3, 4, 2, 1]);
});

test("taking finds the legal command of this revision only", () => {
  const legal = [{ do: "accept-offer", player: 0, offer: 1, revision: 1, hand: [[0, 2]], face_up: [], hand_revision: 4 }] as const;
  expect(taking(offer(), legal)).toBe(legal[0]);
  expect(taking(offer({ revision: 2 }), legal)).toBeUndefined();
});

test("what would take an offer names the front-most copies, to ask why not", () => {
  expect(wouldTake(offer({ want: [2, 2] }), table(trade([])))).toMatchObject({ do: "accept-offer", hand: [[0, 2], [2, 2]], hand_revision: 4 });
  expect(wouldTake(offer({ open: true }), table(trade([])))).toMatchObject({ do: "claim" });
});

test("the front-most copies are taken, and none twice", () => {
  expect(frontMost([2, 2, 2, 9], OWN.hand)).toEqual([[0, 2], [2, 2], [3, 9]]);
});

test("there is a choice where one has more copies than are wanted", () => {
  expect(hasChoice(offer(), table(trade([])))).toBe(true);
  expect(hasChoice(offer({ want: [2, 2] }), table(trade([])))).toBe(false);
});

test("a ghost tells that a card is gone, and which", () => {
  const was = trade([offer({ id: 1, hand: [8] })]);
  const traded = { event: "traded-shown", offer: 2, maker: 1, partner: 2, maker_hand: [8], maker_face_up: [], partner_hand: [3], partner_face_up: [], own: [] } as const;
  expect(ghosts(was, trade([]), batch({ events: [traded, { event: "offer-voided", offer: 1 }] }))).toMatchObject([{ why: "card-gone", beans: [8] }]);
});

test("a ghost tells withdrawn, traded and closed apart", () => {
  const was = trade([offer()]);
  const why = (events: Parameters<typeof batch>[0]): unknown => ghosts(was, trade([]), batch(events))[0]?.why;
  expect(why({ events: [{ event: "offer-withdrawn", offer: 1 }] })).toBe("withdrawn");
  expect(why({ events: [{ event: "traded-shown", offer: 1, maker: 1, partner: 0, maker_hand: [8], maker_face_up: [], partner_hand: [2], partner_face_up: [], own: [[0, 2]] }] })).toBe("traded");
  expect(why({ events: [{ event: "trading-closed", player: 1 }] })).toBe("closed");
});

test("an edited offer leaves no ghost", () => {
  expect(ghosts(trade([offer()]), trade([offer({ revision: 2 })]), batch())).toEqual([]);
});

test("raised cards stay the same cards when others leave the hand", () => {
  const left = emptied(batch({ events: [{ event: "traded-shown", offer: 1, maker: 0, partner: 1, maker_hand: [2], maker_face_up: [], partner_hand: [8], partner_face_up: [], own: [[2, 2]] }] }), 0);
  expect(left).toEqual([2]);
  expect(left.reduce((places, place) => [...aimed(places, place)], [1, 2, 4])).toEqual([1, 3]);
});

test("another's planting moves nothing in one's own hand", () => {
  expect(emptied(batch({ events: [{ event: "planted", player: 1, field: 0, bean: 2 }] }), 0)).toEqual([]);
});

test("an offer is composed of what is raised and wanted, sorted, to everybody it may concern", () => {
  const shown = table(trade([]));
  const selection = new Selection(shown);
  selection.toggleHand(1);
  selection.wish(9);
  selection.wish(2);
  expect(composed(selection, shown)).toEqual({ do: "make-offer", player: 0, to: [1], hand: [[1, 8]], face_up: [], want: [2, 9], open: false, hand_revision: 4 });
});

test("the active player's offer to several is open unless he wants the first taker", () => {
  const shown = table(trade([], { active_player: 0 }), {
    choices: { legal: [], previews: [], offers: { partners: [1, 2], hand: [], face_up: [], kinds: [], hand_revision: 4, slots: 6, may_be_open: true } },
  });
  const selection = new Selection(shown);
  expect([addressees(selection, shown), isOpen(selection, shown)]).toEqual([[1, 2], true]);
  selection.letMeChoose = false;
  expect(isOpen(selection, shown)).toBe(false);
  selection.letMeChoose = null;
  selection.to = [2];
  expect(isOpen(selection, shown)).toBe(false);
});

test("a counter-offer is prefilled with the other way round", () => {
  const shown = table(trade([]));
  const selection = new Selection(shown);
  begin(selection, shown, { is: "counter", offer: offer() });
  expect([selection.hand, selection.want, selection.to]).toEqual([[0], [8], [1]]);
});

test("an answer fits when it has exactly the wanted kinds, whichever copies", () => {
  const shown = table(trade([]));
  const selection = new Selection(shown);
  begin(selection, shown, { is: "answer", offer: offer() });
  expect(fits(offer(), selection)).toBe(true);
  selection.hand = [2];
  expect(fits(offer(), selection)).toBe(true);
  selection.hand = [1];
  expect(fits(offer(), selection)).toBe(false);
});

test("kinds on own fields come first, then those to spare", () => {
  const game = view();
  const players = game.players.map((player, seat) => (seat === 0 ? { ...player, fields: [[5], []] } : player)) as View["players"];
  const wishes = [{ want: [], spare: [] }, { want: [], spare: [9] }, { want: [1], spare: [] }] as View["talk"]["wishes"];
  const order = ranked([0, 1, 5, 9], { ...game, players, talk: { ...game.talk, wishes } }, 0).map(({ bean }) => bean);
  expect(order).toEqual([5, 9, 1, 0]);
});
