import { beforeAll, expect, test } from "vitest";
import type { Options } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { summaryOf } from "../../src/lobby/editions";

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
