import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { TouchstoneError } from "../../../schemas/index.ts";
import { bytesIn } from "../../base/format/bytes.ts";

/** The environment variable with the text of a private key, for CI. */
export const keyVariable = "TOUCHSTONE_SIGNING_KEY";

const making = "openssl genpkey -algorithm ed25519 -out FILE makes one";

/** The private key in a PEM file (PKCS #8), or in the environment. Throws a usage error, which quotes no part of it, for any other text. */
export function privateKey(file: string | undefined, environment: NodeJS.ProcessEnv): KeyObject {
  const text = file === undefined ? environment[keyVariable] : bytesIn(file, making).toString("utf8");
  if (text === undefined)
    throw new TouchstoneError("usage", "there is no key to sign with", {
      hint: `give --key FILE, or the text of the key in ${keyVariable}; ${making}`,
    });
  return ed25519(() => createPrivateKey(text), file ?? keyVariable, "private");
}

/** The public key in a PEM file; for a private key, its public part. */
export function publicKey(file: string): KeyObject {
  const text = bytesIn(file, making).toString("utf8");
  return ed25519(() => createPublicKey(text), file, "public");
}

/** The public key in a bundle. Throws a usage error for any other text. */
export function embeddedKey(base64: string, where: string): KeyObject {
  return ed25519(
    () => createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" }),
    where,
    "public",
  );
}

function ed25519(read: () => KeyObject, where: string, kind: string): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new TouchstoneError("usage", `expected a ${kind} key in PEM`, { where, hint: making });
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new TouchstoneError("usage", `expected an Ed25519 key, got a key of the type ${key.asymmetricKeyType}`, {
    where,
    hint: making,
  });
}

/** The name of a key: SHA-256 of its public half (SubjectPublicKeyInfo, DER), in hex. */
export function keyId(key: KeyObject): string {
  return createHash("sha256").update(publicHalf(key)).digest("hex");
}

/** SubjectPublicKeyInfo, DER. */
export function publicHalf(key: KeyObject): Buffer {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return half.export({ type: "spki", format: "der" });
}

/** A new key pair, as texts in PEM. */
export function newKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}
