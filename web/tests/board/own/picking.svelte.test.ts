import { expect, test } from "vitest";
import { Picking } from "../../../src/board/own/picking.svelte";
import { Targets } from "../../../src/board/targets.svelte";
import { begin } from "../../../src/table/offers/actions";
import { LayoutState, PageState } from "../../../src/table/state.svelte";
import { liveTable } from "../../mounted";
import { offer, OWN, view } from "../../sample";

/** What taps on a hand of two blue beans and another mean in a trading in which one blue bean is asked for. */
function picking() {
  const asked = offer({ maker: 1, to: [0], want: [2] });
  const phase = { phase: "trade", face_up: [], offers: [asked], passes: [] } as const;
  const [table] = liveTable({ game: view({ phase, own: { ...OWN, hand: [2, 5, 2] } }) });
  const [page, layout] = [new PageState(), new LayoutState()];
  const here = new Picking(page, layout, table, table, new Targets(page, layout, table, table));
  return { here, page, table, asked };
}

const swaps = (here: Picking): readonly boolean[] => [0, 1, 2].map((place) => here.swaps(place));

test("while one is asked which card goes, the equal ones that are not chosen can go in its place", () => {
  const { here, page, table, asked } = picking();
  expect(swaps(here)).toEqual([false, false, false]);
  begin(page.selection, table, { is: "accept", offer: asked });
  page.selection.hand = [2];
  expect(swaps(here)).toEqual([true, false, false]);
  here.tap(0);
  expect(page.selection.hand).toEqual([0]);
  expect(swaps(here)).toEqual([false, false, true]);
});

test("for another offer no card goes in the place of a chosen one", () => {
  const { here, page, table } = picking();
  begin(page.selection, table, { is: "compose" });
  page.selection.hand = [2];
  expect(swaps(here)).toEqual([false, false, false]);
});
