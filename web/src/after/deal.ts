/** The commitment and the seed of a revealed deal, computed again in the browser to check what the server says. */
import type { DealReveal } from "../generated/protocol";

/** What can be computed from a revealed deal. */
export interface Computed {
  readonly commitment: string;
  readonly seed: string;
}

const SEED_TAG = "bohn-deal:1";

/** Compute commitment and seed of a revealed deal anew; `null` where the browser computes no hashes (plain http). */
export async function computed(reveal: DealReveal): Promise<Computed | null> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  const hash = async (bytes: readonly number[]): Promise<string> =>
    hex(new Uint8Array(await subtle.digest("SHA-256", new Uint8Array(bytes))));
  const secret = bytesOf(reveal.secret);
  const salts = reveal.salts.map(bytesOf).flatMap((salt) => [salt.length, ...salt]);
  const tag = [...new TextEncoder().encode(SEED_TAG)];
  return {
    commitment: await hash([...secret, ...bytesOf(reveal.nonce)]),
    seed: await hash([...tag, ...secret, ...salts]),
  };
}

function bytesOf(digits: string): readonly number[] {
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
