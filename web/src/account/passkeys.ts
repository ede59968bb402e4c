/** Passkeys between server and browser: WebAuthn's options and answers, whose bytes travel as base64url. */
import type { CeremonyBegun } from "../generated/protocol";
import { Refusal } from "../lib/http";

/** The user or the device did not use a passkey; its text is `app.passkey-not-used`. */
export const NOT_USED = "passkey-not-used";
/** The device has a passkey of this account already; its text is `app.passkey-known-here`. */
export const KNOWN_HERE = "passkey-known-here";

/** An answer of an authenticator, as the server reads it. */
export interface Credential {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: Readonly<Record<string, string | readonly string[]>>;
}

type Options = Readonly<Record<string, unknown>>;

/** Return the bytes of base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

/** Return bytes as base64url. */
export function textOf(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return options with bytes where WebAuthn wants them. */
export function decoded(options: Options): Options {
  const found: Record<string, unknown> = { ...options, challenge: bytesOf(String(options["challenge"])) };
  const user = options["user"] as Options | undefined;
  if (user !== undefined) found["user"] = { ...user, id: bytesOf(String(user["id"])) };
  for (const list of ["allowCredentials", "excludeCredentials"]) {
    const known = options[list] as readonly Options[] | undefined;
    if (known !== undefined) found[list] = known.map((one) => ({ ...one, id: bytesOf(String(one["id"])) }));
  }
  return found;
}

/** Make a passkey; throws a `Refusal` if there is none. */
export async function create(begun: CeremonyBegun): Promise<Credential> {
  const publicKey = decoded(begun.options) as unknown as PublicKeyCredentialCreationOptions;
  const made = await asked(() => navigator.credentials.create({ publicKey }));
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    ...named(made),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports(),
    },
  };
}

/** Use a passkey; throws a `Refusal` if none was used. */
export async function use(begun: CeremonyBegun): Promise<Credential> {
  const publicKey = decoded(begun.options) as unknown as PublicKeyCredentialRequestOptions;
  const found = await asked(() => navigator.credentials.get({ publicKey }));
  const response = found.response as AuthenticatorAssertionResponse;
  const owner = response.userHandle;
  return {
    ...named(found),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(owner === null ? {} : { userHandle: textOf(owner) }),
    },
  };
}

const named = (one: PublicKeyCredential): Pick<Credential, "id" | "rawId" | "type"> => ({
  id: one.id,
  rawId: textOf(one.rawId),
  type: one.type,
});

async function asked(ask: () => Promise<unknown>): Promise<PublicKeyCredential> {
  try {
    const found = await ask();
    if (found !== null) return found as PublicKeyCredential;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError")
      throw new Refusal(KNOWN_HERE, null, {}, 0);
  }
  throw new Refusal(NOT_USED, null, {}, 0);
}
