import { type KeyObject, sign, verify } from "node:crypto";
import { keyId } from "./key.ts";

/** A DSSE envelope with one signature; `payload` and `sig` are base64. */
export interface SignedEnvelope {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

export const payloadType = "application/vnd.in-toto+json";

/** Signs a payload with Ed25519 (RFC 8032) over the pre-authentication encoding of DSSE v1. */
export function signPayload(payload: string, key: KeyObject): SignedEnvelope {
  const body = Buffer.from(payload, "utf8");
  const sig = sign(null, preAuthentication(payloadType, body), key).toString("base64");
  return { payloadType, payload: body.toString("base64"), signatures: [{ keyid: keyId(key), sig }] };
}

/** Verifies an envelope, and returns its payload, or the reason why this key did not sign it. */
export function openEnvelope(
  { payloadType: type, payload, signatures }: SignedEnvelope,
  key: KeyObject,
): string | Error {
  if (type !== payloadType) return new Error(`the payload is of the type ${JSON.stringify(type)}, not ${payloadType}`);
  const [signature, ...otherSignatures] = signatures;
  if (signature === undefined || otherSignatures.length > 0)
    return new Error(`it has ${signatures.length} signatures, not one`);
  const id = keyId(key);
  if (signature.keyid !== id) return new Error(`it is signed by the key ${signature.keyid}, not by ${id}`);
  const body = Buffer.from(payload, "base64");
  return verify(null, preAuthentication(type, body), key, Buffer.from(signature.sig, "base64"))
    ? body.toString("utf8")
    : new Error("the signature does not match the content");
}

/** `DSSEv1 LENGTH TYPE LENGTH BODY`, lengths in bytes. */
function preAuthentication(type: string, body: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `;
  return Buffer.concat([Buffer.from(head, "utf8"), body]);
}
