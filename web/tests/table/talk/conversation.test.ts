import { beforeAll, expect, test } from "vitest";
import type { Line } from "../../../src/generated/protocol";
import { loadLanguage } from "../../../src/lib/i18n.svelte";
import { conversation } from "../../../src/table/talk/conversation";
import { lineText } from "../../../src/table/talk/lines";
import { liveTable } from "../../mounted";

beforeAll(() => loadLanguage("en"));

const line = (number: number, at: number, user: string, text: string): Line => ({
  type: "line",
  line: number,
  user,
  at,
  text,
  key: "",
});

/** Return what the chat of a table shows at which three have spoken. */
function heard(muted: readonly string[] = []): readonly string[] {
  const [table] = liveTable();
  table.lines = [line(1, 10, "u0", "Hello"), line(2, 30, "u1", "Psst"), line(3, 50, "u0", "Bye")];
  table.remarks = [
    { type: "remark", seat: 1, at: 20, heard: 20, key: "says.too-dear", params: {}, seq: 0 },
    { type: "remark", seat: 1, at: 40, heard: 40, key: "says.later", params: {}, seq: 0 },
  ];
  return conversation(table, muted).map((said) => ("line" in said ? lineText(said.line) : said.text));
}

test("what computer players have said stands among the lines, in the order of time", () => {
  expect(heard()).toEqual(["Hello", "You would gain much more than I would.", "Psst", "Bye"]);
});

test("who is muted is left out", () => {
  expect(heard(["u1"])).toEqual(["Hello", "You would gain much more than I would.", "Bye"]);
});

test("what a computer player says while it plays for somebody is not told as his words", () => {
  const [table] = liveTable();
  table.remarks = [
    { type: "remark", seat: 1, at: 20, heard: 20, key: "says.too-dear", params: {}, seq: 0 },
    { type: "remark", seat: 1, at: 40, heard: 40, key: "says.too-dear", params: {}, seq: 0, standIn: true },
  ];
  const [own, other] = conversation(table, []).map((said) => ("by" in said ? said.by : ""));
  expect(other).toBe(`computer for ${own}`);
});
