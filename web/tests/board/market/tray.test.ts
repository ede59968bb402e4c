import { flushSync } from "svelte";
import { expect, test } from "vitest";
import Tray from "../../../src/board/market/Tray.svelte";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { toggleHand, want } from "../../../src/table/selection";
import { liveTable, show } from "../../mounted";
import { welcome } from "../../sample";

const [RED, BLUE] = [2, 8] as const;

test("the buttons of the tray name a bean in the case that their text asks for", async () => {
  await loadLanguage("is");
  const { choices } = welcome();
  if (choices === null || choices.offers === null) throw new Error("the sample offers nothing");
  const offers = { ...choices.offers, kinds: [BLUE] };
  const [table] = liveTable({ choices: { ...choices, offers } });
  const { box, page } = show(Tray, table);
  toggleHand(page.selection, 0);
  want(page.selection, RED);
  flushSync();
  const labels = [...box.querySelectorAll(".chip")].map((chip) => chip.getAttribute("aria-label"));

  expect(table.view?.own?.hand[0]).toBe(RED);
  expect(labels).toContain("Taka rauðu baunina úr boðinu");
  expect(labels).toContain("Einni rauðri baun færri");
  expect(labels).toContain("Biðja um bláa baun");
});
