import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Preview, View } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import type { LiveTable } from "../../../src/lib/live.svelte";
import { TableModel } from "../../../src/lib/model.svelte";
import { toggleHand } from "../../../src/table/selection";
import { LayoutState, Selection, type Purpose } from "../../../src/table/state.svelte";
import {
  chooseTo,
  chosenTo,
  finish,
  isReady,
  labelOf,
  refreshPreview,
  titleOf,
  toggleTo,
  withTooFew,
} from "../../../src/table/offers/composing.svelte";
import { offer, PLAYER, view, welcome } from "../../sample";

beforeAll(() => loadLanguage("en"));
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  end();
  vi.useRealTimers();
});

const WAIT = 100;
const PREVIEW: Preview = { give: [], get: [], fields: [], homeless: [8] };
let end = (): void => undefined;

function table(partners: readonly number[] = [1, 2], changes: Partial<View> = {}): TableModel {
  const made = new TableModel();
  const { choices } = welcome();
  if (choices?.offers == null) throw new Error("one may trade");
  const offers = { ...choices.offers, partners };
  const phase = { phase: "trade", face_up: [], offers: [offer()], passes: [] } as const;
  made.welcome(welcome({ game: view({ phase, ...changes }), choices: { ...choices, offers } }));
  return made;
}

function selected(purpose: Purpose): Selection {
  const selection = new Selection();
  selection.purpose = purpose;
  return selection;
}

/** Begin an offer whose previews a test answers itself. */
function composing() {
  const replies: ((preview: Preview | null) => void)[] = [];
  const live = { requestPreview: () => new Promise((reply) => replies.push(reply)) } as unknown as LiveTable;
  const [selection, layout] = [new Selection(), new LayoutState()];
  end = $effect.root(() => refreshPreview(selection, layout, table(), live, WAIT));
  toggleHand(selection, 1);
  flushSync();
  const reply = async (index: number): Promise<void> => {
    replies[index]?.(PREVIEW);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { selection, layout, replies, reply };
}

test("the server is asked what an offer would mean once it has rested", async () => {
  const { layout, replies, reply } = composing();
  vi.advanceTimersByTime(WAIT - 1);
  expect(replies.length).toBe(0);
  vi.advanceTimersByTime(1);
  await reply(0);
  expect(layout.preview).toEqual(PREVIEW);
});

test("a reply about an offer that has changed meanwhile is not shown", async () => {
  const { selection, layout, reply } = composing();
  vi.advanceTimersByTime(WAIT);
  toggleHand(selection, 2);
  flushSync();
  await reply(0);
  expect(layout.preview).toBeNull();
});

test("a reply that comes when an offer is accepted instead is not shown", async () => {
  const { selection, layout, reply } = composing();
  vi.advanceTimersByTime(WAIT);
  selection.purpose = { is: "accept", offer: offer() };
  flushSync();
  await reply(0);
  expect(layout.preview).toBeNull();
});

test("the button says what it does: an open offer is claimed, not accepted", () => {
  const label = (open: boolean): string => labelOf(selected({ is: "accept", offer: offer({ open }) }));
  expect([label(false), label(true)]).toEqual(["Accept", "I’d take it"]);
});

test("the button tells an offer, a gift and an ask apart", () => {
  const selection = new Selection();
  const labels = [labelOf(selection)];
  selection.hand = [1];
  labels.push(labelOf(selection));
  selection.want = [2];
  labels.push(labelOf(selection));
  expect(new Set(labels).size).toBe(3);
});

test("an offer that is changed into a gift says so on its button", () => {
  const changed = selected({ is: "edit", offer: offer() });
  changed.want = [2];
  expect(labelOf(changed)).toBe("Change it");
  changed.want = [];
  changed.hand = [1];
  expect(labelOf(changed)).toBe("Give as a gift");
});

test("the heading is the usual one for a new offer only", () => {
  const title = (is: Purpose["is"]): string => titleOf(selected({ is, offer: offer() }), table(), "New");
  expect(title("compose")).toBe("New");
  expect(new Set([title("compose"), title("edit"), title("counter"), title("accept")]).size).toBe(4);
});

test("an offer is ready with anything in it, an acceptance with just what is wanted", () => {
  const [made, own] = [table(), new Selection()];
  expect(isReady(own, made)).toBe(false);
  own.want = [2];
  expect(isReady(own, made)).toBe(true);
  const acceptance = selected({ is: "accept", offer: offer() });
  expect(isReady(acceptance, made)).toBe(false);
  acceptance.hand = [0];
  expect(isReady(acceptance, made)).toBe(true);
});

test("all partners, or none, are everybody", () => {
  const [selection, made] = [new Selection(), table()];
  toggleTo(selection, made, 1);
  expect(selection.to).toEqual([2]);
  toggleTo(selection, made, 1);
  expect(selection.to).toEqual([]);
  toggleTo(selection, made, 1);
  toggleTo(selection, made, 2);
  expect(selection.to).toEqual([]);
});

test("after all, a choice is that one alone, and the next one joins", () => {
  const [selection, made] = [new Selection(), table([1, 2, 3])];
  expect(chosenTo(selection, made)).toEqual([]);
  chooseTo(selection, made, 2);
  expect(selection.to).toEqual([2]);
  chooseTo(selection, made, 3);
  expect(chosenTo(selection, made)).toEqual([2, 3]);
  chooseTo(selection, made, 1);
  expect(chosenTo(selection, made)).toEqual([]);
});

test("the only one who is chosen stays, when he is chosen again", () => {
  const [selection, made] = [new Selection(), table([1, 2, 3])];
  chooseTo(selection, made, 2);
  chooseTo(selection, made, 2);
  expect(selection.to).toEqual([2]);
});

test("of two, a choice is that one alone too", () => {
  const [selection, made] = [new Selection(), table()];
  expect(chosenTo(selection, made)).toEqual([]);
  chooseTo(selection, made, 1);
  expect(chosenTo(selection, made)).toEqual([1]);
});

test("an acceptance that is no longer possible is told", async () => {
  const live = { legal: [] } as unknown as LiveTable;
  const layout = new LayoutState();
  expect(await finish(selected({ is: "accept", offer: offer() }), layout, live)).toBe(false);
  expect(layout.sending).toBe(false);
});

test("who has too few cards for what is asked is told, unless another has as many", () => {
  const hands = [5, 1, 2].map((hand_size) => ({ ...PLAYER, hand_size }));
  const made = table([1, 2], { players: hands, active_player: 0 });
  const own = new Selection();
  own.want = [2, 2];
  expect(withTooFew(own, made)).toEqual([]);
  own.to = [1];
  expect(withTooFew(own, made)).toEqual([1]);
  own.to = [];
  own.want = [2, 2, 2];
  expect(withTooFew(own, made)).toEqual([1, 2]);
  own.want = [];
  expect(withTooFew(own, made)).toEqual([]);
});

test("whoever's turn it is has the face-up cards too", () => {
  const players = [5, 0, 2].map((hand_size) => ({ ...PLAYER, hand_size }));
  const phase = { phase: "trade", face_up: [4, 1], offers: [], passes: [] } as const;
  const made = table([1], { players, phase });
  const own = new Selection();
  own.want = [4, 1]; // both lie face up
  expect(withTooFew(own, made)).toEqual([]);
  own.want = [4, 1, 2];
  expect(withTooFew(own, made)).toEqual([1]);
});
