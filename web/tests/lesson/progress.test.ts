import { beforeEach, describe, expect, it } from "vitest";
import { loadProgress, saveProgress } from "../../src/lesson/progress";

beforeEach(() => sessionStorage.clear());

describe("how far one has got", () => {
  it("is kept for each table", () => {
    saveProgress("a", { at: 7, said: true });
    expect(loadProgress("a")).toEqual({ at: 7, said: true });
    expect(loadProgress("b")).toEqual({ at: 0, said: false });
  });

  it("begins anew where something else was written", () => {
    sessionStorage.setItem("bohn.lesson.a", "{");
    expect(loadProgress("a")).toEqual({ at: 0, said: false });
  });
});
