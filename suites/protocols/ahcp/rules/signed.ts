import { type Breach, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { type Header, parseHeader } from "./header.ts";
import { recipeOf } from "./recipes.ts";
import {
  isInWindow,
  isSignedBy,
  replayWindow,
  signedContext,
  type VerificationKey,
  versionMember,
} from "./signature.ts";

/** A breach of one of the rules on pushes. */
export interface SignatureBreach extends Breach {
  rule: string;
}

/** How a protocol based on AHCP signs: the name of its version member, and its rule on the format of signatures, if it has one. */
export interface PushSpelling {
  version: string;
  formRule?: string;
}

export const ahcpSpelling: PushSpelling = { version: versionMember };

/** Finds the faults in the signature of a push that forbid an agent to act on it. */
export function* findSignatureBreaches(
  record: JsonObject,
  body: JsonObject,
  spelling: PushSpelling = ahcpSpelling,
): Iterable<SignatureBreach> {
  const { signature, callback_url: url, key, clock } = record;
  if (typeof url !== "string" || !isVerificationKey(key)) return;
  const invalid = (at: string, why: string): SignatureBreach => ({ rule: "AHCP-SIG-011", at, why });
  if (typeof signature !== "string") {
    if (signature === undefined) yield invalid("", "has no signature");
    return;
  }
  const { formRule } = spelling;
  const header = parseHeader(signature, formRule !== undefined);
  if (header === undefined) {
    const malformed = invalid("/signature", "is malformed");
    // AHCP itself is lenient: it accepts some headers that only the rule on the format refuses.
    const breaksFormRule = formRule !== undefined && parseHeader(signature) !== undefined;
    yield breaksFormRule ? { ...malformed, rule: formRule } : malformed;
    return;
  }
  if (header.oddity !== undefined) yield { ...invalid("/signature", header.oddity.why), level: header.oddity.level };
  const context = contextOf(record, body, header, { url, version: spelling.version });
  const verifiedContext = isObject(record.signed) ? record.signed : context;
  if (context === undefined || verifiedContext === undefined || !isSignedBy(verifiedContext, header.v1, key))
    yield invalid("/signature", "does not verify");
  else yield* findDifferences(verifiedContext, context, body, spelling.version);
  if (typeof clock === "number" && !isInWindow(header.t, clock))
    yield { rule: "AHCP-SIG-013", at: "/clock", why: `is more than ${replayWindow} seconds away from t=${header.t}` };
  yield* findReplay(record, body, header);
}

function* findReplay({ seen, clock }: JsonObject, body: JsonObject, { jti }: Header): Iterable<SignatureBreach> {
  for (const [index, nonceRecord] of (Array.isArray(seen) ? seen : []).entries()) {
    if (!isObject(nonceRecord) || nonceRecord.jti !== jti || nonceRecord.in_reply_to === body.in_reply_to) continue;
    // After the window, an agent may forget a nonce.
    if (typeof nonceRecord.at === "number" && typeof clock === "number" && clock - nonceRecord.at <= replayWindow)
      yield {
        rule: "AHCP-SIG-014",
        at: `/seen/${index}/jti`,
        why: "is the nonce of this push, and of another message's",
      };
  }
}

/** The context that the agent builds to verify a push. If the body has no `response`, it uses `resolved_at` of the signed context. */
function contextOf(
  record: JsonObject,
  body: JsonObject,
  header: Header,
  { url, version }: { url: string; version: string },
): JsonObject | undefined {
  try {
    const context = signedContext(body, url, header, version);
    const signedTime = body.response === undefined && isObject(record.signed) ? record.signed.resolved_at : undefined;
    return signedTime === undefined ? context : { ...context, resolved_at: signedTime };
  } catch {
    return undefined;
  }
}

/** Finds the first difference between the signed context and the agent's own, and the rule that it breaks. */
function* findDifferences(
  signed: JsonObject,
  context: JsonObject,
  body: JsonObject,
  version: string,
): Iterable<SignatureBreach> {
  const names = Object.keys(context);
  const differingName = [...names, ...Object.keys(signed)].find(
    (name) => !Object.hasOwn(signed, name) || !names.includes(name) || typeof signed[name] !== typeof context[name],
  );
  if (differingName !== undefined) {
    yield {
      rule: "AHCP-SIG-003",
      at: "/signed",
      why: `has ${differingName} otherwise than the ten members that are signed`,
    };
    return;
  }
  const differs = (name: string): boolean => !equal(signed[name] as Json, context[name] as Json);
  const fault = (rule: string, at: string, why: string): SignatureBreach => ({ rule, at, why });
  if (differs("payload_sha256")) {
    const recipe = recipeOf(String(signed.payload_sha256), body);
    if (recipe === undefined) yield fault("AHCP-SIG-012", "/body", "does not equal the signed value");
    else yield fault(recipe.rule, "/signed/payload_sha256", `was made ${recipe.says}`);
  } else if (differs("callback_url")) {
    const isSame = areEquivalentUrls(String(signed.callback_url), String(context.callback_url));
    const why = isSame ? "is spelt otherwise than it was submitted" : "is not the place that the push was signed for";
    yield fault(isSame ? "AHCP-SIG-007" : "AHCP-SIG-015", isSame ? "/signed/callback_url" : "/callback_url", why);
  } else if (differs("in_reply_to") || differs("resolution_id"))
    yield fault("AHCP-SIG-015", "/signature", "was made for another message");
  else {
    const name = ["id", version, "resolved_at"].find(differs);
    if (name !== undefined) yield fault("AHCP-SIG-007", `/signed/${name}`, "does not equal the body's value");
    else if (!equal(signed, context)) yield fault("AHCP-SIG-011", "/signature", "does not verify");
  }
}

function areEquivalentUrls(a: string, b: string): boolean {
  try {
    const normalize = (url: string): string => decodeURI(new URL(url).href).replace(/\/$/, "");
    return normalize(a) === normalize(b);
  } catch {
    return false;
  }
}

export function isVerificationKey(key: Json | undefined): key is VerificationKey & JsonObject {
  if (!isObject(key)) return false;
  return key.alg === "hmac-sha256"
    ? typeof key.secret === "string"
    : key.alg === "ed25519" && typeof key.public_key === "string";
}
