import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { TouchstoneError } from "../../../schemas/index.ts";
import { readBytes } from "../../base/format/bytes.ts";

/** The environment variable for the text of a private key, for CI. */
export const keyVariable = "TOUCHSTONE_SIGNING_KEY";

const keyHint = "openssl genpkey -algorithm ed25519 -out FILE makes one";

/** Reads the private key from a PEM file (PKCS #8), or from the environment. Throws a usage error for any other text; the error does not quote the text. */
export function readPrivateKey(file: string | undefined, environment: NodeJS.ProcessEnv): KeyObject {
  const text = file === undefined ? environment[keyVariable] : readBytes(file, keyHint).toString("utf8");
  if (text === undefined)
    throw new TouchstoneError("usage", "there is no key to sign with", {
      hint: `give --key FILE, or the text of the key in ${keyVariable}; ${keyHint}`,
    });
  return requireEd25519(() => createPrivateKey(text), file ?? keyVariable, "private");
}

/** Reads the public key from a PEM file with a public or a private key. */
export function readPublicKey(file: string): KeyObject {
  const text = readBytes(file, keyHint).toString("utf8");
  return requireEd25519(() => createPublicKey(text), file, "public");
}

/** Reads the public key of a bundle. Throws a usage error if the text is not a key. */
export function readEmbeddedKey(base64: string, where: string): KeyObject {
  return requireEd25519(
    () => createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" }),
    where,
    "public",
  );
}

function requireEd25519(read: () => KeyObject, where: string, kind: string): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new TouchstoneError("usage", `expected a ${kind} key in PEM`, { where, hint: keyHint });
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new TouchstoneError("usage", `expected an Ed25519 key, got a key of the type ${key.asymmetricKeyType}`, {
    where,
    hint: keyHint,
  });
}

/** The id of a key: the SHA-256 of its public half (SubjectPublicKeyInfo, DER), in hex. */
export function keyId(key: KeyObject): string {
  return createHash("sha256").update(exportPublicKey(key)).digest("hex");
}

/** The public half of a key as SubjectPublicKeyInfo, in DER. */
export function exportPublicKey(key: KeyObject): Buffer {
  const publicPart = key.type === "private" ? createPublicKey(key) : key;
  return publicPart.export({ type: "spki", format: "der" });
}

/** Creates a key pair, both keys in PEM. */
export function createKeyPair(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}
