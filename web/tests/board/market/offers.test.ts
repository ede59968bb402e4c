import { flushSync } from "svelte";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import Offers from "../../../src/board/market/Offers.svelte";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { liveTable, show } from "../../mounted";
import { batch, offer, OWN, view } from "../../sample";

/** jsdom lays nothing out, so nothing is ever resized. */
class NoResize {
  readonly observe = (): void => undefined;
  readonly unobserve = (): void => undefined;
  readonly disconnect = (): void => undefined;
}

beforeAll(() => loadLanguage("en"));
beforeEach(() => vi.stubGlobal("ResizeObserver", NoResize));

/** Return what stands where an offer of a seat was, once it was carried out; the viewer sits at 0. */
function farewell(maker: number): string {
  const shown = offer({ maker, to: [maker === 0 ? 1 : 0] });
  const market = (offers: readonly (typeof shown)[]) =>
    view({ own: OWN, phase: { phase: "trade", face_up: [], offers, passes: [] } });
  const [table, socket] = liveTable({ game: market([shown]) });
  table.names = ["Vera", "Bert", "Chiyo"];
  const { box } = show(Offers, table, { slim: false });
  socket.hear(
    batch({
      game: market([]),
      events: [
        {
          event: "traded-shown",
          offer: shown.id,
          maker,
          partner: shown.to[0] ?? 0,
          maker_hand: shown.hand,
          maker_face_up: [],
          partner_hand: shown.want,
          partner_face_up: [],
          own: [],
        },
      ],
    }),
  );
  flushSync();
  expect(box.querySelectorAll(".gone .bean").length).toBe(2);
  return box.querySelector(".gone > span")?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

test("an own offer that was carried out is told to its maker as own", () => {
  expect(farewell(0)).toBe("You ⇄ Bert – agreed.");
});

test("an offer of another that was carried out is told by name", () => {
  expect(farewell(1)).toBe("Bert ⇄ You – agreed.");
});

test("no gap stands before what became of it in a language that has none", async () => {
  await loadLanguage("ja");
  expect(farewell(1)).toBe("Bert ⇄ あなた：成立しました。");
});
