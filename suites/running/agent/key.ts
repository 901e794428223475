import { type SigningKey, TouchstoneError } from "../../../schemas/index.ts";

/** Throws a usage error for a key that cannot sign. */
export function mustBeKey(key: SigningKey): void {
  const { alg } = key;
  if (alg === "hmac-sha256" && typeof key.secret === "string" && key.secret !== "") return;
  if (alg === "ed25519" && /^[0-9a-f]{64}$/i.test(key.seed)) return;
  throw alg === "ed25519"
    ? new TouchstoneError("usage", "the seed of the Ed25519 key is not 32 bytes (64 hexadecimal digits)", {
        hint: "give the 64 digits of RFC 8032's private key",
      })
    : new TouchstoneError("usage", "there is no key to sign with", {
        hint: 'give { alg: "hmac-sha256", secret } or { alg: "ed25519", seed }',
      });
}
