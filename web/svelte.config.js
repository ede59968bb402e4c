import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

// nothing asks which version of Svelte made the page, and saying so is a file of its own
const compilerOptions = { runes: true, discloseVersion: false };
export default { preprocess: vitePreprocess(), compilerOptions };
