import { type Change, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { bodyOf } from "../../ahcp/rules/delivery.ts";
import { parseHeader } from "../../ahcp/rules/header.ts";
import {
  versionMember as ahcpVersionMember,
  isSignedBy,
  type SigningKey,
  signatureOf,
  signedContext,
} from "../../ahcp/rules/signature.ts";
import { isVerificationKey } from "../../ahcp/rules/signed.ts";
import { versionMember } from "./spelling.ts";

/** A key pair for new signatures, because cases do not contain private keys: the first test vector of RFC 8032. */
const keyPair = {
  seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
  public_key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
};

/** The changes that sign a delivery again, if its signature was valid under AHCP's name for the version. Otherwise none. */
export function resign(renamed: Json, original: Json, document: string): Change[] {
  if (document !== "delivery" || !isObject(renamed) || !isObject(original)) return [];
  const content = contentOf(renamed, versionMember);
  const { signature, key } = renamed;
  if (content === undefined || typeof signature !== "string" || !isVerificationKey(key)) return [];
  if (!isSigned(original, ahcpVersionMember) || isSigned(renamed, versionMember)) return [];
  const signingKey: SigningKey = key.alg === "ed25519" ? { alg: "ed25519", seed: keyPair.seed } : key;
  // Only the last v1 is replaced.
  const newSignature = signature.replace(
    /v1=[A-Za-z0-9_+/-]+(?!.*v1=)/,
    () => `v1=${signatureOf(content, signingKey)}`,
  );
  const replaceSignature: Change = { op: "replace", path: "/signature", value: newSignature };
  if (key.alg !== "ed25519") return [replaceSignature];
  return [replaceSignature, { op: "replace", path: "/key", value: { alg: "ed25519", public_key: keyPair.public_key } }];
}

function isSigned(record: JsonObject, version: string): boolean {
  const { signature, key } = record;
  const header = typeof signature === "string" ? parseHeader(signature) : undefined;
  const content = contentOf(record, version);
  return header !== undefined && content !== undefined && isVerificationKey(key) && isSignedBy(content, header.v1, key);
}

/** The signed members of a record: its `signed`, or else the members that follow from its body and header. */
function contentOf(record: JsonObject, version: string): JsonObject | undefined {
  if (isObject(record.signed)) return record.signed;
  const body = bodyOf(record);
  const header = typeof record.signature === "string" ? parseHeader(record.signature) : undefined;
  if (body === undefined || header === undefined || typeof record.callback_url !== "string") return undefined;
  try {
    return signedContext(body, record.callback_url, header, version);
  } catch {
    return undefined;
  }
}
