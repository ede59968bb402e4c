import { expect, test } from "vitest";
import { buildName } from "../../vite/build-name";

test("a build is named by what is in its files, in whatever order they come", () => {
  const name = buildName([
    ["icons/a.svg", "<svg/>"],
    ["index.html", "<p>"],
  ]);
  expect(
    buildName([
      ["index.html", "<p>"],
      ["icons/a.svg", "<svg/>"],
    ]),
  ).toBe(name);
  expect(
    buildName([
      ["icons/a.svg", "<svg >"],
      ["index.html", "<p>"],
    ]),
  ).not.toBe(name);
});
