/** Whether a device can be told, and the times of its quiet hours. */
import { expect, test } from "vitest";
import { asMinutes, asTime, obstacleOf, type Place } from "../../src/alerts/alerts";

const HERE: Place = { secure: true, push: true, permission: "default" };

test("a device is told where all it takes is there", () => expect(obstacleOf(["push"], HERE)).toBeNull());

test("a device that is not told hears why", () => {
  expect(obstacleOf([], HERE)).toBe("not-offered");
  expect(obstacleOf(["push"], { ...HERE, secure: false, push: false })).toBe("no-tls");
  expect(obstacleOf(["push"], { ...HERE, push: false })).toBe("no-push");
  expect(obstacleOf(["push"], { ...HERE, permission: "denied" })).toBe("denied");
});

test("minutes of the day are times", () => {
  for (const [minutes, time] of [
    [0, "00:00"],
    [425, "07:05"],
    [1439, "23:59"],
  ] as const) {
    expect(asTime(minutes)).toBe(time);
    expect(asMinutes(time)).toBe(minutes);
  }
  expect(asMinutes("")).toBeNull();
});
