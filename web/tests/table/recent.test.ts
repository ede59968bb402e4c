import { expect, test } from "vitest";
import type { ShownEvent } from "../../src/generated/protocol";
import type { Happening } from "../../src/lib/model.svelte";
import { endOfMarket } from "../../src/table/recent";

const log = (...events: readonly string[]): readonly Happening[] =>
  events.map((event, seq) => ({ event: { event } as unknown as ShownEvent, seq }) as Happening);

test("who has ended the trading is told until the next turn begins", () => {
  expect(endOfMarket(log("turn-began", "trading-closed", "planted"))?.event.event).toBe("trading-closed");
  expect(
    endOfMarket(log("turn-began", "trading-closed", "planted", "turn-began", "planted")),
  ).toBeUndefined();
  expect(endOfMarket(log("turn-began"))).toBeUndefined();
});
