import { beforeAll, expect, test } from "vitest";
import type { ShownEvent } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import type { LiveTable } from "../../../src/lib/live.svelte";
import { isSpokenAfter, latestNo } from "../../../src/table/talk/latest";
import type { FakeSocket } from "../../fake-socket";
import { liveTable } from "../../mounted";
import { batch } from "../../sample";

beforeAll(() => loadLanguage("en"));

const declined = (player: number, offer: number, maker = 0): ShownEvent => ({
  event: "offer-declined",
  player,
  offer,
  revision: 1,
  maker,
});

const remark = (seat: number, seq: number, key: string) =>
  ({ type: "remark", seat, at: 1000 * seq, key, params: {}, seq }) as const;

const refuses = (socket: FakeSocket, seq: number, event: ShownEvent): void =>
  socket.hear(batch({ seq, at: 1000 * seq, events: [event] }));

const reason = (table: LiveTable, seat?: number): string | undefined => latestNo(table, seat)?.what.why?.key;

test("the reason of a refusal is that which was given with it", () => {
  const [table, socket] = liveTable();
  refuses(socket, 11, declined(1, 4));
  socket.hear(remark(1, 11, "says.useless"));
  refuses(socket, 12, declined(2, 4));
  socket.hear(remark(2, 12, "says.price"));

  expect(latestNo(table)).toMatchObject({ seat: 2, what: { offer: 4, at: 12_000 } });
  expect([reason(table), reason(table, 1), reason(table, 2)]).toEqual([
    "says.price",
    "says.useless",
    "says.price",
  ]);
});

test("what somebody said of something else is not the reason of his refusal", () => {
  const [table, socket] = liveTable();
  socket.hear(remark(1, 10, "says.field"));
  refuses(socket, 11, declined(1, 4));
  socket.hear(remark(2, 11, "says.price"));
  expect(reason(table)).toBeUndefined();

  socket.hear(remark(1, 12, "says.closer"));
  expect(reason(table)).toBeUndefined();
});

test("only a refusal of the viewer's offer by somebody else is one", () => {
  const [table, socket] = liveTable();
  expect(latestNo(table)).toBeNull();
  refuses(socket, 11, declined(1, 4, 2));
  refuses(socket, 12, declined(0, 5, 0));
  expect(latestNo(table)).toBeNull();
});

test("a refusal is old once its seat has said something else", () => {
  const [table, socket] = liveTable();
  const isOld = (): boolean | undefined => {
    const no = latestNo(table)?.what;
    return no && isSpokenAfter(table, 1, no);
  };
  socket.hear(remark(1, 10, "says.field"));
  refuses(socket, 11, declined(1, 4));
  expect(isOld()).toBe(false);
  socket.hear(remark(1, 11, "says.useless"));
  socket.hear(remark(2, 12, "says.price"));
  expect(isOld()).toBe(false);
  socket.hear(remark(1, 13, "phrase.thanks"));
  expect(isOld()).toBe(true);
});
