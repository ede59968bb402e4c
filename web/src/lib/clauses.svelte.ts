/** The clauses of the rules in the reader's language, loaded once for all explanations. */
import type { ClauseInfo } from "../generated/protocol";
import { call } from "./http";
import { locale } from "./i18n.svelte";

/** The clauses of the rules in the language shown, loaded when they are first asked for. */
class Clauses {
  private language = "";
  byId: ReadonlyMap<string, ClauseInfo> = $state.raw(new Map());

  /** Load them, unless they are here in this language. */
  async load(): Promise<void> {
    const wanted = locale();
    if (this.language === wanted) return;
    this.language = wanted;
    try {
      const found = await call<{ clauses: readonly ClauseInfo[] }>("GET", `/api/clauses?language=${wanted}`);
      this.byId = new Map(found.clauses.map((clause) => [clause.id, clause]));
    } catch {
      this.language = ""; // asked again the next time
    }
  }
}

export const clauses = new Clauses();

/** Return a clause, if the clauses are here. */
export function clauseOf(id: string): ClauseInfo | undefined {
  return clauses.byId.get(id);
}
