import { expect, test } from "vitest";
import { MINE } from "../../src/worker/names";
import { isServers, outdated, planFor, type Plan } from "../../src/worker/plan";

const HERE = "http://localhost:8000";

function plan(path: string, mode = "cors", method = "GET"): Plan {
  return planFor({ method, mode, url: new URL(path, HERE) }, HERE);
}

test("every address inside the page is the shell, which comes from the server while that answers", () => {
  expect(
    ["/", "/t/abc", "/rules/full?players=4", "/replay/record/x"].map((path) => plan(path, "navigate")),
  ).toEqual(["page", "page", "page", "page"]);
  expect(plan("/api/tables/x/record", "navigate")).toBe("none");
  expect(plan("/metrics", "navigate")).toBe("none");
});

test("files whose name changes with their content are stored", () => {
  expect(plan("/assets/index-abc.js", "no-cors")).toBe("asset");
});

test("files that keep their name come from the server while that answers", () => {
  expect(["/manifest.webmanifest", "/icons/favicon.svg"].map((path) => plan(path))).toEqual(["file", "file"]);
});

test("rules are everybody's, one's name, records and finished games are one's own", () => {
  expect(plan("/api/rules?edition=full&players=4")).toBe("known");
  expect(plan("/api/clauses?language=de")).toBe("known");
  expect(plan("/api/me")).toBe("me");
  expect(plan("/api/me/records")).toBe("mine");
  expect(plan("/api/records/abc/replay?seat=0")).toBe("mine");
  expect(plan("/api/tables/abc/summary")).toBe("mine");
});

test("running tables, commands and other origins are never answered from a store", () => {
  expect(plan("/api/tables")).toBe("none");
  expect(plan("/api/tables/abc")).toBe("none");
  expect(plan("/api/tables/abc/commands", "cors", "POST")).toBe("none");
  expect(plan("/api/me", "cors", "DELETE")).toBe("none");
  expect(plan("http://elsewhere.example/assets/x.js", "no-cors")).toBe("none");
});

test("a proxy that answers for a server that is gone is no server", async () => {
  const page = (status: number): Promise<boolean> =>
    isServers(new Response("<h1>Bad gateway</h1>", { status }));
  expect(await Promise.all([200, 404, 401].map(page))).toEqual([true, true, true]);
  expect(await Promise.all([502, 503, 504].map(page))).toEqual([false, false, false]);
});

test("a server that says why it does not answer is there", async () => {
  const body = JSON.stringify({ reason: "not-saved", clause: null, params: {} });
  expect(await isServers(new Response(body, { status: 503 }))).toBe(true);
  expect(await isServers(new Response("null", { status: 503 }))).toBe(false);
});

test("the page before the present one is kept for tabs that still show it", () => {
  const pages = ["bohn-page-1", "bohn-page-2", "bohn-page-3"];
  expect(outdated(pages, pages, "bohn-page-3")).toEqual(["bohn-page-1"]);
  expect(outdated(["bohn-page-3"], ["bohn-page-3"], "bohn-page-3")).toEqual([]);
});

test("a page whose installation broke off is none that was shown", () => {
  const pages = ["bohn-page-1", "bohn-page-broken", "bohn-page-3"];
  expect(outdated(pages, ["bohn-page-1", "bohn-page-3"], "bohn-page-3")).toEqual(["bohn-page-broken"]);
});

test("rules of older pages go, what is a user's stays, and a page that is just being stored", () => {
  const names = ["bohn-known-1", `${MINE}ada`, "else", "bohn-page-2", "bohn-known-2", "bohn-page-3"];
  expect(outdated(names, ["bohn-page-2"], "bohn-page-2")).toEqual(["bohn-known-1"]);
});
