/** The user of this page and the catalog of what the server offers. */
import type { Catalog, Me } from "../generated/protocol";
import { call, Refusal } from "./http";
import { language, t } from "./i18n.svelte";
import { storeOnlyFor } from "./offline.svelte";
import { settings } from "./settings.svelte";

/** Who uses this page, and what the server offers. */
class Session {
  me: Me | null = $state.raw(null);
  catalog: Catalog | null = $state.raw(null);

  /** Find out who we are and what there is; throws a `Refusal` if the server does not answer. */
  async begin(): Promise<void> {
    const [me, catalog] = await Promise.all([known(), call<Catalog>("GET", "/api/catalog")]);
    this.me = me;
    this.catalog = catalog;
    void storeOnlyFor(me?.user ?? null);
    if (me !== null && settings.name === "") settings.name = me.name;
  }

  /** Come in, if we are not in yet, under the name of the settings. */
  async enter(): Promise<Me> {
    this.me ??= await call<Me>("POST", "/api/guests", { name: this.name, language: language() });
    return this.me;
  }

  /** The name one goes by: what was typed, else a friendly one. */
  get name(): string {
    return settings.name.trim() === "" ? t("app.guest") : settings.name.trim();
  }

  /** Take another name; throws a `Refusal` if it is not allowed. */
  async rename(name: string): Promise<void> {
    settings.name = name.trim();
    if (this.me !== null) this.me = await call<Me>("PATCH", "/api/me", { name: this.name });
  }

  /** Tell the server which language we read, so that others may know. */
  async tellLanguage(): Promise<void> {
    if (this.me !== null && this.me.language !== language())
      this.me = await call<Me>("PATCH", "/api/me", { language: language() });
  }
}

async function known(): Promise<Me | null> {
  try {
    return await call<Me>("GET", "/api/me");
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

export const session = new Session();
