import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownInvitation } from "../../src/lobby/invitations";

let made = 0;
let holding: string[] = [];

beforeEach(() => {
  made = 0;
  holding = [];
  sessionStorage.clear();
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    if (init.method === "GET")
      return Promise.resolve(Response.json(holding.map((id) => ({ id, created: 0, expires: 1 }))));
    made += 1;
    holding.push(`l${String(made)}`);
    return Promise.resolve(Response.json({ id: `l${String(made)}`, token: `s${String(made)}`, expires: 1 }));
  });
});
afterEach(() => vi.unstubAllGlobals());

test("an invitation is made once", async () => {
  expect(await ownInvitation("t1")).toBe(`${location.origin}/join#s1`);
  expect(await ownInvitation("t1")).toBe(`${location.origin}/join#s1`);
  expect(made).toBe(1);
});

test("every table has its own invitation", async () => {
  await ownInvitation("t1");
  expect(await ownInvitation("t2")).toBe(`${location.origin}/join#s2`);
});

test("an invitation that holds no more is made anew", async () => {
  await ownInvitation("t1");
  holding = [];
  expect(await ownInvitation("t1")).toBe(`${location.origin}/join#s2`);
});

test("what is no invitation in the storage does not matter", async () => {
  sessionStorage.setItem("bohn.invitation.t1", "{");
  expect(await ownInvitation("t1")).toBe(`${location.origin}/join#s1`);
});
