import { beforeAll, expect, test } from "vitest";
import NewOffer from "../../../src/board/market/NewOffer.svelte";
import { prompt } from "../../../src/board/bar/prompt";
import type { Targets } from "../../../src/board/targets.svelte";
import OfferList from "../../../src/linear/OfferList.svelte";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { needs } from "../../../src/table/needs";
import { liveTable, show } from "../../mounted";
import { offer, OWN, takingAll, view } from "../../sample";

beforeAll(() => loadLanguage("en"));

test("prompt, heading, dots, tab title and text view count the same offers", () => {
  const offers = [offer(), offer({ id: 2 }), offer({ id: 3 }), offer({ id: 4, to: [2] })];
  const game = view({
    own: { ...OWN, refused: [3] },
    phase: { phase: "trade", face_up: [], offers, passes: [] },
  });
  const [table] = liveTable({ game, choices: takingAll(game) });
  const { box } = show(NewOffer, table);
  const text = show(OfferList, table).box.querySelector("h2")?.textContent ?? "";

  expect(prompt(table, { held: null } as Targets).text).toBe("2 offers are waiting for you.");
  expect(box.querySelector(".count")?.textContent.trim()).toBe("For you:");
  expect(box.querySelectorAll(".dot")).toHaveLength(2);
  expect(needs(table).offers).toHaveLength(2);
  expect(text).toContain("2 for you");
});
