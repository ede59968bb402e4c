import { expect, test } from "vitest";
import { isServer, outdated, planFor, type Plan } from "../../src/worker/plan";

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
  expect(plan("/manifest.webmanifest")).toBe("asset");
});

test("rules are everybody's, one's name, records and finished games are one's own", () => {
  expect(plan("/api/rules?edition=full&players=4")).toBe("known");
  expect(plan("/api/clauses?language=de")).toBe("known");
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

test("a proxy that answers for a server that is gone is no server", () => {
  expect([200, 304, 404, 401, 500].every(isServer)).toBe(true);
  expect([502, 503, 504].some(isServer)).toBe(false);
});

test("the page before the present one is kept for tabs that still show it", () => {
  const names = ["bohn-page-1", "bohn-known", "bohn-page-2", "bohn-mine", "bohn-page-3"];
  expect(outdated(names, "bohn-page-", "bohn-page-3")).toEqual(["bohn-page-1"]);
  expect(outdated(["bohn-page-3"], "bohn-page-", "bohn-page-3")).toEqual([]);
});
