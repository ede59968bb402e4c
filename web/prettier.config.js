/** One layout for all of web/: `npm run format` makes it, `npm run lint` checks it. */
export default {
  printWidth: 110, // as in Python; eslint refuses what is still longer than 120
  tabWidth: 2,
  // Elements take lines of their own. Almost everything lies in flex boxes and grids, where space between elements
  // counts for nothing; text that must not be torn apart stands in one expression.
  htmlWhitespaceSensitivity: "ignore",
  plugins: ["prettier-plugin-svelte"],
  overrides: [{ files: "*.svelte", options: { parser: "svelte" } }],
};
