import { type Change, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { bodyOf } from "../../ahcp/rules/delivery.ts";
import { parseHeader } from "../../ahcp/rules/header.ts";
import {
  versionMember as before,
  isSignedBy,
  type SigningKey,
  signatureOf,
  signedContext,
} from "../../ahcp/rules/signature.ts";
import { isKey } from "../../ahcp/rules/signed.ts";
import { versionMember } from "./spelling.ts";

/** The first key of RFC 8032, since a private key is not in a case. */
const pair = {
  seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
  public_key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
};

/** The changes that sign a delivery again whose signature held before the version had another name; none for others. */
export function resign(mine: Json, was: Json, document: string): Change[] {
  if (document !== "delivery" || !isObject(mine) || !isObject(was)) return [];
  const content = contentOf(mine, versionMember);
  const { signature, key } = mine;
  if (content === undefined || typeof signature !== "string" || !isKey(key)) return [];
  if (!isSigned(was, before) || isSigned(mine, versionMember)) return [];
  const own: SigningKey = key.alg === "ed25519" ? { alg: "ed25519", seed: pair.seed } : key;
  const again = signature.replace(/v1=[A-Za-z0-9_+/-]+(?!.*v1=)/, () => `v1=${signatureOf(content, own)}`);
  const signed: Change = { op: "replace", path: "/signature", value: again };
  if (key.alg !== "ed25519") return [signed];
  return [signed, { op: "replace", path: "/key", value: { alg: "ed25519", public_key: pair.public_key } }];
}

function isSigned(record: JsonObject, version: string): boolean {
  const { signature, key } = record;
  const header = typeof signature === "string" ? parseHeader(signature) : undefined;
  const content = contentOf(record, version);
  return header !== undefined && content !== undefined && isKey(key) && isSignedBy(content, header.v1, key);
}

/** The members that the record says were signed, or those that its body and header give. */
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
