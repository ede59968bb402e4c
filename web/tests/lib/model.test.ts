import { expect, test } from "vitest";
import { TableModel } from "../../src/lib/model.svelte";
import { batch, view, welcome } from "../sample";

const drew = { event: "drew-hidden", player: 1, count: 3 } as const;

test("a batch behind the welcome is shown", () => {
  const table = new TableModel();
  table.welcome(welcome());
  table.take(batch({ view: { draw_pile: 57 } }));
  expect([table.seq, table.view?.draw_pile]).toEqual([11, 57]);
});

test("a batch of the gap is history: it enters the log and changes nothing", () => {
  const table = new TableModel();
  table.welcome(welcome({ fresh: false }));
  table.take(batch({ seq: 9, events: [drew] }));
  expect([table.seq, table.log.length]).toEqual([10, 1]);
});

test("a fresh welcome begins the log anew", () => {
  const table = new TableModel();
  table.welcome(welcome());
  table.take(batch({ events: [drew] }));
  table.welcome(welcome({ seq: 40 }));
  expect(table.log).toEqual([]);
});

test("the others sit in turn order behind oneself", () => {
  const table = new TableModel();
  table.welcome(welcome({ seat: 1, game: view({ viewer: 1 }) }));
  expect(table.others).toEqual([2, 0]);
});

test("a watcher is told the view before and sees the view after", () => {
  const table = new TableModel();
  table.welcome(welcome());
  const seen: (number | undefined)[] = [];
  const end = table.watch({ after: (_, was) => seen.push(was?.draw_pile, table.view?.draw_pile) });
  table.take(batch({ view: { draw_pile: 57 } }));
  end();
  table.take(batch({ seq: 12, view: { draw_pile: 55 } }));
  expect(seen).toEqual([60, 57]);
});
