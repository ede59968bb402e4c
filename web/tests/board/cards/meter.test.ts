import { describe, expect, test } from "vitest";
import { reached } from "../../../src/board/cards/meter";

describe("reached", () => {
  const steps = [
    [4, 1],
    [7, 2],
    [9, 3],
  ] as const;

  test("steps behind are whole, the next one fills, later ones are empty", () => {
    expect(reached(steps, 5).map((step) => step.part)).toEqual([1, 1 / 3, 0]);
  });

  test("an empty field has reached nothing and a full one everything", () => {
    expect(reached(steps, 0).map((step) => step.part)).toEqual([0, 0, 0]);
    expect(reached(steps, 12).map((step) => step.part)).toEqual([1, 1, 1]);
  });
});
