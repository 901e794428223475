import type { Level } from "../../../../schemas/index.ts";

/** A signature header, parsed. */
export interface Header {
  t: string;
  jti: string;
  v1: Uint8Array;
  /** How a readable header differs from the format that the specification shows. */
  oddity?: { why: string; level: Level };
}

const specifiedForm = /^t=([0-9]+),jti=([^,\s]+),v1=([A-Za-z0-9_-]+)$/;

/**
 * Parses the value of an `AHCP-Signature` header. Returns undefined if a parameter is missing or has the wrong type.
 *
 * The specification does not forbid a different order, spaces, padding, standard base64 or unknown parameters, so these are
 * accepted. If a parameter is repeated, the last one counts. With `hasFixedForm`, the signature must be base64url, either
 * unpadded or padded correctly.
 */
export function parseHeader(value: string, hasFixedForm = false): Header | undefined {
  const parameters = value.split(",").map((part): [string, string] => {
    const [, name = "", text = ""] = /^\s*([^=\s]*)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
    return [name, text];
  });
  const { t, jti, v1 } = Object.fromEntries(parameters.filter(([name]) => ["t", "jti", "v1"].includes(name)));
  if (t === undefined || !/^[0-9]+$/.test(t) || jti === undefined || !/^\S+$/.test(jti) || v1 === undefined)
    return undefined;
  if (!(hasFixedForm ? isWellFormed(v1) : /^[A-Za-z0-9_+/-]+={0,2}$/.test(v1))) return undefined;
  const bytes = Buffer.from(v1, "base64url");
  // With a fixed form, padding and unused bits do not count as oddities.
  const judgedV1 = hasFixedForm ? bytes.toString("base64url") : v1;
  const judgedValue = value.replace(v1, judgedV1);
  const oddity = findOddity(judgedValue, parameters, judgedV1, bytes);
  return { t, jti, v1: bytes, ...(oddity === undefined ? {} : { oddity }) };
}

/** Whether the signature is at least 32 bytes of base64url, unpadded or padded correctly. Ignores unused bits of the last character. */
function isWellFormed(v1: string): boolean {
  const [, text = "", padding = ""] = /^([A-Za-z0-9_-]+)(=*)$/.exec(v1) ?? [];
  const isWhole = padding === "" || (text.length + padding.length) % 4 === 0;
  return isWhole && padding.length < 3 && text.length % 4 !== 1 && Buffer.from(text, "base64url").length >= 32;
}

function findOddity(value: string, parameters: [string, string][], v1: string, bytes: Buffer): Header["oddity"] {
  const names = parameters.map(([name]) => name);
  const repeatedName = ["t", "jti", "v1"].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeatedName !== undefined) return { why: `gives ${repeatedName} twice`, level: "SHOULD" };
  if (v1.endsWith("=")) return { why: "pads its signature", level: "NOTE" };
  if (!specifiedForm.test(value)) return { why: "is not written t=…,jti=…,v1=…", level: "NOTE" };
  const isExact = bytes.toString("base64url") === v1;
  return isExact ? undefined : { why: "has bits in its last character that belong to no byte", level: "NOTE" };
}
