/** The user of this page and the catalog of what the server offers. */
import type { Catalog, Invited, Me, Standing } from "../generated/protocol";
import { call, OFFLINE, Refusal } from "./http";
import { language, t } from "./i18n.svelte";
import { storeUser } from "./offline.svelte";
import { settings } from "./settings.svelte";

/** How long, in ms, until it is asked again who we are, where nobody answered. */
const AGAIN = 2000;

/** How each sanction is refused. */
const SANCTIONED = { mute: "muted", suspend: "suspended", ban: "banned" } as const;

/** Why somebody gets no seat though there are free ones. */
export const NO_SEAT = "no-seat-for-you";

/** Where it is stored which account this device is signed in to. */
const ACCOUNT = "bohn.account";

function noted(): string {
  try {
    return localStorage.getItem(ACCOUNT) ?? "";
  } catch {
    return ""; // without storage nothing is known of it
  }
}

function note(handle: string): void {
  try {
    if (handle === "") localStorage.removeItem(ACCOUNT);
    else localStorage.setItem(ACCOUNT, handle);
  } catch {
    // as above
  }
}

/** Who uses this page, and what the server offers. */
class Session {
  me: Me | null = $state.raw(null);
  catalog: Catalog | null = $state.raw(null);
  /** The refusal that one's sanction would be told by; `null` without a sanction that holds. */
  standing: Pick<Refusal, "reason" | "params"> | null = $state.raw(null);
  /** The invitation to another table that came last, until it is put away. */
  invited: Invited | null = $state.raw(null);
  /** The account that this device was signed in to, and is no more, though nobody signed out here. */
  signedOut: string | null = $state.raw(null);
  /** The table at which there was no seat for us, until somebody comes or goes there. */
  noSeatAt: string | null = $state.raw(null);
  private again: ReturnType<typeof setTimeout> | undefined;

  /** Find out who we are and what there is; throws a `Refusal` if the server does not answer. */
  async begin(): Promise<void> {
    const [, catalog] = await Promise.all([this.recognise(), call<Catalog>("GET", "/api/catalog")]);
    this.catalog = catalog;
  }

  /** Find out who we are; without a network we are nobody, unless it is stored, until the server answers again. */
  async recognise(): Promise<void> {
    try {
      this.me = await call<Me>("GET", "/api/me");
      this.knowAccount(this.me.handle);
      if (settings.name === "") settings.name = this.me.name;
      this.take(this.me.standing ?? null); // an older server knows of none
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.reason !== OFFLINE && error.status !== 401) throw error;
      clearTimeout(this.again);
      if (error.status === 401) {
        this.me = null;
        this.knowAccount("");
      }
      if (error.reason === OFFLINE)
        this.again = setTimeout(() => void this.recognise().catch(() => undefined), AGAIN);
    }
  }

  /** Note the account that this device is signed in to: where that was another one, it was signed out elsewhere. */
  knowAccount(handle: string | undefined): void {
    if (handle) note(handle);
    const known = noted();
    this.signedOut = known === "" || known === handle ? null : known;
  }

  /** Know of no account any more: the viewer signs out here, or does not want to hear of it. */
  forgetAccount(): void {
    note("");
    this.signedOut = null;
  }

  /** Take in the sanction that holds for us, if there is one. */
  take(standing: Pick<Standing, "sanction" | "reason" | "until"> | null): void {
    if (standing === null) this.standing = null;
    else {
      const { sanction, reason, until } = standing;
      this.standing = { reason: SANCTIONED[sanction], params: { reason, until } };
    }
  }

  /** Come in, if we are not in yet, under the name of the settings; who is in takes it, if he has typed another. */
  async enter(): Promise<Me> {
    if (this.me !== null && this.me.name !== this.name) await this.rename(this.name);
    if (this.me !== null) return this.me;
    const me = await call<Me>("POST", "/api/guests", { name: this.name, language: language() });
    void this.become(me);
    return me;
  }

  /** Be this user from now on; resolves when what is stored is his. */
  async become(me: Me): Promise<void> {
    this.me = me;
    this.knowAccount(me.handle);
    await storeUser();
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

export const session = new Session();
