/** The account of whoever uses this page: what the server is asked about it. */
import type {
  AccountInfo,
  CeremonyBegun,
  Me,
  PasskeyMade,
  RecoveryCodes,
  TokenInfo,
} from "../generated/protocol";
import { asRefusal, call } from "../lib/http";
import { session } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import { create, use } from "./passkeys";
import { deviceName } from "./where";

const label = (): string => deviceName(navigator.userAgent);

/** Return the account; one without a handle is none. */
export const accountOf = (): Promise<AccountInfo> => call<AccountInfo>("GET", "/api/account");

/** Return the devices and programs that are signed in as us. */
export const sessions = (): Promise<readonly TokenInfo[]> => call("GET", "/api/me/tokens");

/** Do something that wants a confirmed session; if it is not, the passkey is asked for first. */
export async function confirmed<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const here = isSecureContext && typeof PublicKeyCredential === "function";
    if (asRefusal(error).reason !== "confirm-first" || !here) throw error;
  }
  const begun = await call<CeremonyBegun>("POST", "/api/account/confirm/begin");
  await call("POST", "/api/account/confirm", { ticket: begun.ticket, credential: await use(begun) });
  return action();
}

/** Make a passkey; with the first one the guest becomes an account of this handle. */
export async function makePasskey(handle = ""): Promise<PasskeyMade> {
  await session.enter();
  const begun = await confirmed(() => call<CeremonyBegun>("POST", "/api/account/passkeys/begin", { handle }));
  const credential = await create(begun);
  return call("POST", "/api/account/passkeys", { ticket: begun.ticket, credential, label: label() });
}

/** Sign in by a passkey. */
export async function signIn(): Promise<void> {
  const begun = await call<CeremonyBegun>("POST", "/api/account/sign-in/begin");
  const credential = await use(begun);
  await become(
    await call<Me>("POST", "/api/account/sign-in", { ticket: begun.ticket, credential, label: label() }),
  );
}

/** Sign in by a recovery code. */
export async function recover(code: string): Promise<void> {
  await become(await call<Me>("POST", "/api/account/recover", { code, label: label() }));
}

/** Have a link sent into the account that has confirmed an e-mail address; the answer is always the same. */
export const askByMail = (address: string): Promise<unknown> =>
  call("POST", "/api/account/way-back", { address });

/** Sign in by such a link. */
export async function comeBackByMail(token: string): Promise<void> {
  await become(await call<Me>("POST", "/api/account/way-back/use", { token, label: label() }));
}

async function become(me: Me): Promise<void> {
  settings.name = me.name;
  await session.become(me);
}

/** Delete a passkey, and return what is left. */
export const dropPasskey = (id: string): Promise<AccountInfo> =>
  confirmed(() => call<AccountInfo>("DELETE", `/api/account/passkeys/${id}`));

/** Make new recovery codes. */
export async function newCodes(): Promise<readonly string[]> {
  return (await confirmed(() => call<RecoveryCodes>("POST", "/api/account/codes"))).codes;
}

/** End a session of ours, or a program's. */
export const endSession = (id: string): Promise<unknown> => call("DELETE", `/api/me/tokens/${id}`);
