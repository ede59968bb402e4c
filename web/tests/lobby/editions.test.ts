import { beforeAll, expect, test } from "vitest";
import type { Options } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { summaryOf, usualText, usualValue } from "../../src/lobby/editions";
import { RULES } from "../sample";

beforeAll(() => loadLanguage("en"));

const OPTIONS: Options = {
  edition: "full",
  house_rules: [],
  players: 4,
  clock: "none",
  listed: false,
  spectators: true,
  delay: 0,
  pace: "normal",
};

test("what is played at a table names the pace of computer players that is not the usual one", () => {
  expect(summaryOf(OPTIONS)).not.toContain("Pace");
  expect(summaryOf({ ...OPTIONS, pace: "relaxed" })).toContain("Pace of the computer players: Relaxed");
});

test("that somebody has a head start is told once, without the words of the protocol", () => {
  const told = summaryOf({ ...OPTIONS, house_rules: ["head_start=0:2:0", "head_start=2:0:1"] });

  expect(told.match(/with a head start/g)).toHaveLength(1);
  expect(told).not.toContain("head_start");
});

test("what holds without a house rule is said in its words, and unknown rules have none", () => {
  expect(usualText("coins_to", RULES)).toBe("coins paid go to the discard pile");
  expect(usualText("field_price", { ...RULES, field_price: 3 })).toBe("a field costs 3 coins");
  expect(usualText("coins_to", null)).toBe("");
  expect(usualText("kinds", RULES)).toBe("");
  expect(usualValue("tie", RULES)).toBe("shared");
});
