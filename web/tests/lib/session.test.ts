/** Who one is: the name one has typed is taken wherever one comes in. */
import { afterEach, expect, test, vi } from "vitest";
import type { Me } from "../../src/generated/protocol";
import { session } from "../../src/lib/session.svelte";
import { settings } from "../../src/lib/settings.svelte";

const GUEST: Me = {
  user: "u1",
  name: "Guest",
  language: "en",
  bot: false,
  cookie: true,
  scopes: [],
  standing: null,
  handle: "",
};

/** Answer as a server that calls everybody what he asks for; return what it was asked. */
function server(): [method: string, body: unknown][] {
  const asked: [string, unknown][] = [];
  vi.stubGlobal("fetch", (_path: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as { name: string };
    asked.push([init.method ?? "", body]);
    return Promise.resolve(new Response(JSON.stringify({ ...GUEST, ...body })));
  });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
  session.me = null;
  settings.name = "";
});

test("who is in already takes the name he has typed", async () => {
  const asked = server();
  session.me = GUEST;
  settings.name = " Anna ";

  expect((await session.enter()).name).toBe("Anna");
  expect(asked).toEqual([["PATCH", { name: "Anna" }]]);
});

test("who has typed no other name keeps his", async () => {
  const asked = server();
  session.me = { ...GUEST, name: "Anna" };
  settings.name = "Anna";

  expect((await session.enter()).name).toBe("Anna");
  expect(asked).toEqual([]);
});
