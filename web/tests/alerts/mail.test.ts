import { expect, test } from "vitest";
import { taken } from "../../src/alerts/mail";

test("a link in a letter says what it is for", () => {
  expect(taken("confirm.abc-_1")).toEqual({ what: "confirm", token: "abc-_1" });
  expect(taken("come-back.abc")).toEqual({ what: "come-back", token: "abc" });
  expect(taken("stop.c1.k1")).toEqual({ what: "stop", channel: "c1", key: "k1" });
});

test.each([
  "",
  "confirm",
  "confirm.",
  "confirm.a.b",
  "stop.c1",
  "stop.c1.",
  "stop.c1.k1.x",
  "other.a",
  "confirm.a/b",
])("%j is no link of a letter", (link) => {
  expect(taken(link)).toBeNull();
});
