import { beforeAll, expect, test } from "vitest";
import { headline } from "../../src/board/bar/prompt";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { waitsForViewer } from "../../src/table/waiting";
import { liveTable } from "../mounted";
import { view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

const planting = { phase: { phase: "plant", planted: 0 }, active_player: 0, waiting: [0] } as const;
const { room, choices } = welcome();

/** A table at which seat 0 may plant, paused or not. */
function seen(paused: boolean): TableModel {
  const table = new TableModel();
  const legal = [{ do: "plant", player: 0, field: 0 }] as const;
  table.welcome(
    welcome({
      game: view(planting),
      room: { ...room, paused },
      choices: choices === null ? null : { ...choices, legal },
    }),
  );
  return table;
}

test("in a pause nothing may be done, and nobody is waited for", () => {
  expect(seen(false).allowed("plant")).toHaveLength(1);
  expect(seen(true).allowed("plant")).toEqual([]);
  expect([waitsForViewer(seen(false)), waitsForViewer(seen(true))]).toEqual([true, false]);
});

test("in a pause the headline says that it is one", () => {
  expect(headline(seen(false))).toBe("Your turn: plant");
  expect(headline(seen(true))).toBe("The game is paused.");
});

test("that something is refused in a pause is told by its notice alone", async () => {
  const [table, socket] = liveTable({ game: view(planting), room: { ...room, paused: true } });
  const done = table.act({ do: "reveal", player: 0 });
  const refuse = (reason: string): void =>
    socket.hear({ type: "refused", id: socket.sent.at(-1)?.id, reason, clause: null, params: {} });
  refuse("table-paused");
  expect(await done).toBe(false);
  expect(table.told).toBeNull();

  const again = table.act({ do: "reveal", player: 0 });
  refuse("hand-empty");
  expect(await again).toBe(false);
  expect(table.told?.reason).toBe("hand-empty");
});
