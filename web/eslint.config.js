import js from "@eslint/js";
import globals from "globals";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import { NO_RULES } from "./no-rules.js";
import svelteConfig from "./svelte.config.js";

/** What the page of a table can be in is declared in one file. */
const NO_STATE = {
  selector: "CallExpression[callee.name='$state'], CallExpression[callee.object.name='$state']",
  message: "What the page of a table can be in is declared in src/table/state.svelte.ts.",
};

/** Texts belong into the catalogs. */
const NO_TEXT = {
  selector: ":not(SvelteStyleElement) > SvelteText[value=/[A-Za-z]{3,}/]",
  message: 'Texts come from the catalogs: {t("...")}.',
};

export default ts.config(
  { ignores: ["node_modules", "src/generated"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      "max-len": ["error", { code: 120 }], // prettier breaks code at 110, but neither texts nor comments
      "no-restricted-syntax": ["error", ...NO_RULES],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "svelte/no-navigation-without-resolve": "off", // that is SvelteKit's router; this page has its own
      "svelte/prefer-svelte-reactivity": "off", // sets and maps here are made anew, not changed
    },
  },
  {
    files: ["src/{board,linear,table}/**/*.ts"],
    ignores: ["src/table/state.svelte.ts"],
    rules: { "no-restricted-syntax": ["error", ...NO_RULES, NO_STATE] },
  },
  { files: ["src/**/*.svelte"], rules: { "no-restricted-syntax": ["error", ...NO_RULES, NO_TEXT] } },
);
