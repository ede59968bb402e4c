import { afterEach, beforeAll, expect, test } from "vitest";
import type { AnyCommand, View } from "../../../src/generated/protocol";
import { askedFor } from "../../../src/board/bar/lead";
import { bonusPrompt } from "../../../src/board/duel/prompts";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { TableModel } from "../../../src/lib/model.svelte";
import { view, welcome } from "../../sample";

const discard: AnyCommand = { do: "discard-bonus", player: 0, bonus: 4 };
const claim: AnyCommand = { do: "claim-bonus", player: 0, bonus: 7 };
const refill: AnyCommand = { do: "refill-bonus", player: 0 };

/** Return a table in the phase of bonus cards, where the viewer may do this. */
function bonus(...legal: readonly AnyCommand[]): TableModel {
  const phase = { phase: "bonus", passed: [], discarding: [0] } as unknown as View["phase"];
  const frame = welcome({ game: view({ phase, waiting: [0] }) });
  const table = new TableModel();
  table.welcome({
    ...frame,
    choices: { ...(frame.choices as NonNullable<typeof frame.choices>), legal },
  });
  return table;
}

beforeAll(() => loadLanguage("en"));
afterEach(() => document.body.replaceChildren());

test("the bar leads to what can be pressed: not to a card that cannot be discarded now", () => {
  document.body.innerHTML = [
    '<button data-discard-bonus="4" aria-disabled="true"></button>',
    "<button data-refill></button>",
    '<button data-card="0"></button>',
  ].join("");
  expect(askedFor(bonus(refill))?.matches("[data-refill]")).toBe(true);
});

test("a bonus card that can be claimed is asked for before one is discarded", () => {
  document.body.innerHTML = '<button data-discard-bonus="4"></button><button data-bonus="7"></button>';
  const table = bonus(discard, claim);
  expect(bonusPrompt(table)).toBe("A bonus card of yours is complete: claim it.");
  expect(askedFor(table)?.matches("[data-bonus]")).toBe(true);
});
