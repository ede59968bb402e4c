import { expect, test } from "vitest";
import { parse } from "../../src/lib/router.svelte";

const at = (path: string): ReturnType<typeof parse> => parse(new URL(path, "http://bohn.test"));

test("the root is the lobby", () => expect(at("/")).toEqual({ at: "lobby" }));
test("a table has its id", () => expect(at("/t/abc")).toEqual({ at: "table", table: "abc", invitation: "" }));
test("the address of a table may hold an invitation behind its id", () =>
  expect(at("/t/abc#secret")).toEqual({ at: "table", table: "abc", invitation: "secret" }));
test("an invitation keeps its secret behind the hash", () =>
  expect(at("/join#s3cret")).toEqual({ at: "join", token: "s3cret" }));
test("a replay is of a table", () =>
  expect(at("/replay/abc?at=7")).toMatchObject({ at: "replay", source: "tables", id: "abc" }));
test("a replay is of a record", () =>
  expect(at("/replay/record/xyz")).toMatchObject({ at: "replay", source: "records", id: "xyz" }));
test("rules have an edition, the usual one if none is named", () => {
  expect(at("/rules")).toMatchObject({ at: "rules", edition: "full" });
  expect(at("/rules/das-duell")).toMatchObject({ edition: "das-duell" });
});
test("anything else is nowhere", () => expect(at("/what/is/this")).toEqual({ at: "nowhere" }));
