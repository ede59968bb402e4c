/** What a push says, and where a press on it leads. */
import { describe, expect, test } from "vitest";
import { noticeOf, pathOf } from "../../src/worker/notice";

const SENT = { kind: "turn", title: "It is your turn", body: "Plant.", table: "5f0c1d2e", count: 2 };

describe("a push", () => {
  test("says what the server has said", () => expect(noticeOf(SENT)).toEqual(SENT));

  test("of a test names no table", () =>
    expect(noticeOf({ kind: "test", title: "A test", body: "So." })).toEqual({
      kind: "test",
      title: "A test",
      body: "So.",
      table: "",
      count: 0,
    }));

  test("that is no message says nothing", () => {
    for (const data of [null, undefined, 7, "x", {}, { kind: "turn" }, { ...SENT, title: 3 }])
      expect(noticeOf(data)).toBeNull();
  });

  test("leads to no other place than a table", () => {
    expect(noticeOf({ ...SENT, table: "//evil.example" })?.table).toBe("");
    expect(pathOf("5f0c1d2e")).toBe("/t/5f0c1d2e");
    for (const table of ["", "../api", "//evil.example", undefined]) expect(pathOf(table)).toBe("/");
  });
});
