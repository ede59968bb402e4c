/** The words of the games for two, which others do without. */
import { loaders } from "virtual:catalogs/duel";
import { loadFurther } from "../../lib/i18n.svelte";

let asked: Promise<boolean> | undefined;

/** Return what resolves once the words of a game are there: at once, that is `null`, where it needs none. */
export function wordsOf(game: string | undefined): Promise<boolean> | null {
  if (game === undefined || game === "main") return null;
  asked ??= loadFurther(loaders);
  return asked;
}
