import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AnyServerFrame } from "../../src/generated/protocol";
import { Refusal } from "../../src/lib/http";
import { TableSocket } from "../../src/lib/socket";
import { FakeSocket } from "../fake-socket";
import { welcome } from "../sample";

let known: number | null = null;
let states: string[] = [];
let frames: AnyServerFrame[] = [];

function opened(): [TableSocket, FakeSocket] {
  const socket = new TableSocket("t", {
    frame: (frame) => void frames.push(frame),
    state: (state) => void states.push(state),
    after: () => known,
  });
  socket.open();
  return [socket, last()];
}

function last(): FakeSocket {
  const found = FakeSocket.all.at(-1);
  if (found === undefined) throw new Error("nobody has connected");
  return found;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  known = null;
  states = [];
  frames = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a command resolves with the seq of its ack", async () => {
  const [socket, line] = opened();
  line.hear(welcome());
  const done = socket.do({ do: "pass", player: 0 });
  line.hear({ type: "ack", id: line.sent[0]?.id, seq: 11 });
  expect(await done).toBe(11);
});

test("a refused command throws its reason", async () => {
  const [socket, line] = opened();
  line.hear(welcome());
  const done = socket.do({ do: "pass", player: 0 });
  line.hear({
    type: "refused",
    id: line.sent[0]?.id,
    reason: "already-passed",
    clause: "TRADE-12",
    params: {},
  });
  await expect(done).rejects.toMatchObject({ reason: "already-passed", clause: "TRADE-12" });
});

test("an unanswered command is sent again under the same id after the line broke", async () => {
  const [socket, first] = opened();
  first.hear(welcome());
  const done = socket.do({ do: "pass", player: 0 });
  known = 10;
  first.lose();
  vi.advanceTimersByTime(9000);
  const second = last();
  expect(second.url).toContain("after=10");
  second.hear(welcome({ fresh: false }));
  expect(second.sent.map(({ id }) => id)).toEqual(first.sent.map(({ id }) => id));
  second.hear({ type: "ack", id: second.sent[0]?.id, seq: 11 });
  expect(await done).toBe(11);
});

test("a second welcome of the same line sends nothing again", () => {
  const [socket, line] = opened();
  line.hear(welcome());
  void socket.do({ do: "pass", player: 0 }).catch(() => undefined);
  line.hear(welcome());
  expect(line.sent).toHaveLength(1);
});

test("a line of chat is not said twice when the line broke", async () => {
  const [socket, line] = opened();
  line.hear(welcome());
  const said = socket.say({ text: "hello" });
  line.lose();
  await expect(said).rejects.toBeInstanceOf(Refusal);
});

test("what is said without a connection is not said later", async () => {
  const [socket, line] = opened();
  line.hear(welcome());
  line.lose();
  await expect(socket.say({ text: "hello" })).rejects.toBeInstanceOf(Refusal);
  await expect(socket.sign("enough", 3)).rejects.toBeInstanceOf(Refusal);
  vi.advanceTimersByTime(10_000);
  FakeSocket.all.at(-1)?.hear(welcome());
  expect(FakeSocket.all.at(-1)?.sent.filter(({ type }) => type === "say" || type === "sign")).toEqual([]);
});

test("a goodbye is followed by coming back when it says so", () => {
  const [, line] = opened();
  line.hear(welcome());
  line.hear({ type: "goodbye", reason: "server-stopping", retry: 500 });
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(500);
  expect(FakeSocket.all).toHaveLength(2);
});

test("a table that is not open to us is not asked again", () => {
  const [, line] = opened();
  line.hear({ type: "refused", id: null, reason: "no-such-table", clause: null, params: {} });
  line.lose(1008);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  expect(states.at(-1)).toBe("closed");
});

test("a line that is shut for good without a word is told as lost, and tried again rarely", () => {
  const [, line] = opened();
  line.hear(welcome());
  line.lose(1008);
  expect(states.at(-1)).toBe("lost");
  vi.advanceTimersByTime(3000);
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(8000);
  expect(FakeSocket.all).toHaveLength(2);
});

test("a line that says nothing for long is dropped and made anew", () => {
  const [, line] = opened();
  line.hear(welcome());
  vi.advanceTimersByTime(45_000);
  expect(line.sent.at(-1)?.type).toBe("ping");
  vi.advanceTimersByTime(16_000);
  expect(FakeSocket.all).toHaveLength(2);
});

test("a closed socket fails what waits", async () => {
  const [socket, line] = opened();
  line.hear(welcome());
  const done = socket.do({ do: "pass", player: 0 });
  socket.close();
  await expect(done).rejects.toMatchObject({ reason: "offline" });
});

test("frames that answer nothing go to the owner", () => {
  const [, line] = opened();
  line.hear(welcome());
  line.hear({ type: "presence", present: [0], watching: 2 });
  expect(frames.map(({ type }) => type)).toEqual(["welcome", "presence"]);
});
