import { expect, test } from "vitest";
import { className } from "../../vite/class-name";

const styled = (filename: string, hash: string) => ({ filename, css: "", hash: () => hash });

test("a component has one short class, whenever it is asked for", () => {
  expect(className(styled("One.svelte", "abcdefg"))).toBe("_abcd");
  expect(className(styled("One.svelte", "abcdefg"))).toBe("_abcd");
});

test("two components never share a class", () => {
  className(styled("Two.svelte", "klmnopq"));
  expect(() => className(styled("Three.svelte", "klmnxyz"))).toThrow("Two.svelte and Three.svelte share");
});
