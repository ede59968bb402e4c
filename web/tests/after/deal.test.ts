import { afterEach, describe, expect, it, vi } from "vitest";
import { computed } from "../../src/after/deal";

const secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const nonce = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

afterEach(() => vi.unstubAllGlobals());

describe("a revealed deal", () => {
  it("gives the commitment and the seed of the documents' vectors", async () => {
    const found = await computed({ secret, nonce, salts: ["c0ffee", "ff".repeat(32), "", "0102"] });
    expect(found?.commitment).toBe("fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108");
    expect(found?.seed).toBe("19bb2b1154d1eb48d5b5f9efdfc348f9bf7265792e6502ebb76a451aadca71b4");
  });

  it("has a seed without any salt", async () => {
    expect((await computed({ secret, nonce, salts: ["", "", ""] }))?.seed).toBe(
      "0701b17ee7f1f63834b4dea5be1d4010d4027b2cceb4b5005a65058ddf5cf70a",
    );
  });

  it("is not computed where the browser has no hashes", async () => {
    vi.stubGlobal("crypto", {});
    expect(await computed({ secret, nonce, salts: [] })).toBeNull();
  });
});
