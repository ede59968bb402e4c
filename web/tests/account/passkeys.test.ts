import { afterEach, describe, expect, it, vi } from "vitest";
import { bytesOf, create, decoded, textOf, use } from "../../src/account/passkeys";

const BEGUN = {
  ticket: "t",
  options: {
    challenge: "-_8",
    user: { id: "YW5uYQ", name: "anna" },
    excludeCredentials: [{ id: "AA", type: "public-key" }],
  },
};

function credentials(found: { create?: unknown; get?: unknown }): void {
  vi.stubGlobal("navigator", { credentials: found });
}
afterEach(() => vi.unstubAllGlobals());

describe("bytes", () => {
  it("travel as base64url, whatever their number", () => {
    for (const text of ["", "AA", "-_8", "YW5uYQ", "YW5uYTE"])
      expect(textOf(bytesOf(text).buffer)).toBe(text);
  });

  it("stand where WebAuthn wants them", () => {
    const options = decoded(BEGUN.options) as {
      challenge: Uint8Array;
      user: { id: Uint8Array; name: string };
    };
    expect([...options.challenge]).toEqual([251, 255]);
    expect(new TextDecoder().decode(options.user.id)).toBe("anna");
    expect(options.user.name).toBe("anna");
  });
});

describe("an authenticator", () => {
  it("that was used answers in the form the server reads", async () => {
    const get = vi.fn(() =>
      Promise.resolve({
        id: "AA",
        rawId: bytesOf("AA").buffer,
        type: "public-key",
        response: {
          clientDataJSON: bytesOf("AQ").buffer,
          authenticatorData: bytesOf("Ag").buffer,
          signature: bytesOf("Aw").buffer,
          userHandle: null,
        },
      }),
    );
    credentials({ get });
    expect(await use({ ticket: "t", options: { challenge: "AA" } })).toEqual({
      id: "AA",
      rawId: "AA",
      type: "public-key",
      response: { clientDataJSON: "AQ", authenticatorData: "Ag", signature: "Aw" },
    });
  });

  it.each([
    ["NotAllowedError", "passkey-not-used"],
    ["InvalidStateError", "passkey-known-here"],
  ])("that refuses with %s is told in words", async (name, reason) => {
    credentials({ create: () => Promise.reject(new DOMException("", name)) });
    await expect(create(BEGUN)).rejects.toMatchObject({ reason });
  });

  it("that gives nothing was not used", async () => {
    credentials({ get: () => Promise.resolve(null) });
    await expect(use({ ticket: "t", options: { challenge: "AA" } })).rejects.toMatchObject({
      reason: "passkey-not-used",
    });
  });
});
