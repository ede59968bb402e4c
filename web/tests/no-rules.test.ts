import { Linter } from "eslint";
import ts from "typescript-eslint";
import { expect, test } from "vitest";
import { NO_RULES } from "../no-rules.js";
import lists from "../rules.json" with { type: "json" };

const { shown, hidden, hidden_in_rules } = lists;

/** Return how often the lint rule finds a rule of the game in a line of code. */
function found(code: string): number {
  const config = {
    languageOptions: { parser: ts.parser },
    rules: { "no-restricted-syntax": ["error", ...NO_RULES] },
  } as unknown as Linter.Config;
  return new Linter().verify(code, config).length;
}

const ways = (field: string): readonly string[] => [
  `use(rules.${field});`,
  `use(table.view.rules.${field});`,
  `use(table.view?.rules.${field});`,
  `use(table.view?.rules?.["${field}"]);`,
  `const { ${field} } = rules;`,
  `const { ${field}: other } = view.rules;`,
  `const { ${field} } = table?.rules;`,
];

test.each([...hidden, ...Object.keys(hidden_in_rules)])("the page may not read %s of the rules", (field) => {
  expect(ways(field).filter((code) => found(code) === 0)).toEqual([]);
});

test.each(Object.keys(shown))("the page may show %s", (field) => {
  expect(ways(field).filter((code) => found(code) > 0)).toEqual([]);
});

test.each(Object.keys(hidden_in_rules))("%s means something else beside the rules", (field) => {
  expect(found(`use(view.${field});`)).toBe(0);
});
