import { beforeEach, describe, expect, it } from "vitest";
import { keep, kept } from "../../src/lesson/kept";

beforeEach(() => sessionStorage.clear());

describe("how far one has got", () => {
  it("is kept for each table", () => {
    keep("a", { at: 7, said: true });
    expect(kept("a")).toEqual({ at: 7, said: true });
    expect(kept("b")).toEqual({ at: 0, said: false });
  });

  it("begins anew where something else was written", () => {
    sessionStorage.setItem("bohn.lesson.a", "{");
    expect(kept("a")).toEqual({ at: 0, said: false });
  });
});
