import js from "@eslint/js";
import globals from "globals";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** What would be a rule of the game in the page: prices and policies live on the server. */
const NO_RULES = [
  {
    selector: "MemberExpression[property.name=/^(beanometers|singles|same_kind|payment|coins_to|bluff|tie|reshuffle)$/]",
    message: "The page holds no rules: what is legal and what a field is worth comes from the server (legal, worth, previews, check).",
  },
  {
    selector: "Property[key.name=/^(beanometers|singles|same_kind)$/]",
    message: "The page holds no rules and no beanometer.",
  },
];

/** Texts belong into the catalogs. */
const NO_TEXT = { selector: ":not(SvelteStyleElement) > SvelteText[value=/[A-Za-z]{3,}/]", message: "Texts come from the catalogs: {t(\"...\")}." };

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
      "no-restricted-syntax": ["error", ...NO_RULES],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "svelte/no-navigation-without-resolve": "off", // that is SvelteKit's router; this page has its own
      "svelte/prefer-svelte-reactivity": "off", // sets and maps here are made anew, not changed
    },
  },
  { files: ["src/**/*.svelte"], rules: { "no-restricted-syntax": ["error", ...NO_RULES, NO_TEXT] } },
);
