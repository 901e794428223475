import { createCipheriv, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/curves/utils.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** The maximum number of bytes of a text in version 2 of NIP-44. */
const maxBytes = 65_535;

/** The bytes of the shortest payload: version, nonce, padded text and MAC. */
const minPayloadBytes = 1 + 32 + 34 + 32;

/** Computes the secret that two parties share, from the private key of one and the public key of the other (x, in hexadecimal). */
export function conversationKey(secret: Uint8Array, publicKey: string): Uint8Array {
  const sharedPoint = secp256k1.getSharedSecret(secret, hexToBytes(`02${publicKey}`)).subarray(1, 33);
  return extract(sha256, sharedPoint, new TextEncoder().encode("nip44-v2"));
}

interface MessageKeys {
  cipher: Uint8Array;
  nonce: Uint8Array;
  mac: Uint8Array;
}

function keysOf(conversation: Uint8Array, nonce: Uint8Array): MessageKeys {
  const keys = expand(sha256, conversation, nonce, 76);
  return { cipher: keys.subarray(0, 32), nonce: keys.subarray(32, 44), mac: keys.subarray(44, 76) };
}

/** ChaCha20 by RFC 8439 with the counter at zero: the same function encrypts and decrypts. */
function chacha({ cipher, nonce }: MessageKeys, bytes: Uint8Array): Buffer {
  const stream = createCipheriv("chacha20", cipher, Buffer.concat([Buffer.alloc(4), nonce]));
  return Buffer.concat([stream.update(bytes), stream.final()]);
}

function macOf({ mac }: MessageKeys, nonce: Uint8Array, encrypted: Uint8Array): Buffer {
  return createHmac("sha256", mac).update(nonce).update(encrypted).digest();
}

/** Returns the length to which a text is padded, without the two bytes for its length. */
export function paddedLength(length: number): number {
  if (length <= 32) return 32;
  const power = 2 ** (Math.floor(Math.log2(length - 1)) + 1);
  const chunk = power <= 256 ? 32 : power / 8;
  return chunk * (Math.floor((length - 1) / chunk) + 1);
}

/** Encrypts a text by NIP-44 version 2, in base64. Throws for an empty text, or one longer than 65535 bytes. */
export function encrypt(text: string, conversation: Uint8Array, nonce: Uint8Array = randomBytes(32)): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length < 1 || bytes.length > maxBytes)
    throw new Error(`a text of ${bytes.length} bytes cannot be encrypted`);
  const padded = Buffer.alloc(2 + paddedLength(bytes.length));
  padded.writeUInt16BE(bytes.length);
  bytes.copy(padded, 2);
  const keys = keysOf(conversation, nonce);
  const encrypted = chacha(keys, padded);
  return Buffer.concat([Buffer.of(2), nonce, encrypted, macOf(keys, nonce, encrypted)]).toString("base64");
}

/** Decrypts a text. Undefined if it was encrypted incorrectly, or with another version or key. */
export function decrypt(payload: string, conversation: Uint8Array): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(payload)) return undefined;
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length < minPayloadBytes || bytes[0] !== 2) return undefined;
  const nonce = bytes.subarray(1, 33);
  const encrypted = bytes.subarray(33, -32);
  const keys = keysOf(conversation, nonce);
  if (!timingSafeEqual(macOf(keys, nonce, encrypted), bytes.subarray(-32))) return undefined;
  const padded = chacha(keys, encrypted);
  const length = padded.readUInt16BE(0);
  if (length < 1 || padded.length !== 2 + paddedLength(length)) return undefined;
  return padded.subarray(2, 2 + length).toString("utf8");
}
