import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { canonical, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { jsonIn } from "../../../packs/twins/json.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { findSchemaFault } from "./schema.ts";

/** The SHA-256 of the delivered content, in hex. */
function digestOf(payload: JsonObject): string {
  const { response = null, state = null } = payload;
  return createHash("sha256").update(canonical({ response, state })).digest("hex");
}

/** Checks the stated digest of a payload, given as an object or as a JSON string. */
export function judgeDigest(report: ReportFault, { payload, payload_sha256: statedDigest }: JsonObject): void {
  const value = typeof payload === "string" ? jsonIn(payload) : payload;
  if (!isObject(value) || digestOf(value) !== statedDigest) report("the digest is wrong");
}

const windowSeconds = 120;

interface SignatureHeader {
  t: string;
  jti: string;
  v1: Buffer;
}

/** Judges whether an agent may act on a delivery. */
export function judgeDelivery(report: ReportFault, record: JsonObject, isStrict: (freedom: string) => boolean): void {
  const body = typeof record.body === "string" ? jsonIn(record.body) : record.body;
  if (!isObject(body)) {
    report("the body is not a Response");
    return;
  }
  const why = findSchemaFault("response", body, isStrict);
  if (why !== undefined) {
    report(why);
    return;
  }
  if (record.channel === "push") judgePush(report, record, body);
  if (isObject(record.sealed) && body.state !== undefined && !equal(body.state, record.sealed))
    report("the state is not the agent's");
  for (const action of listOrEmpty(record.acted).map(objectOrEmpty))
    if (action.in_reply_to === body.in_reply_to && action.resolution_id === body.resolution_id)
      report("the agent has already acted on this outcome");
  const { actor } = objectOrEmpty(body.response);
  if (typeof actor !== "string" || record.taken_for === undefined) return;
  const kind = actor === "system:default_on_expire" ? "default" : (actor.split(":")[0] as string);
  if (record.taken_for !== (kind === "human" ? "person" : kind))
    report("the outcome is attributed to a different kind of actor");
}

function judgePush(report: ReportFault, record: JsonObject, body: JsonObject): void {
  const header = headerOf(report, record.signature);
  if (header === undefined) {
    report("there is no readable signature");
    return;
  }
  const { t, jti, v1 } = header;
  const base: JsonObject = {
    ahcp_version: body.ahcp_version as Json,
    callback_url: record.callback_url as Json,
    id: body.in_reply_to as Json,
    in_reply_to: body.in_reply_to as Json,
    jti,
    t,
    payload_sha256: digestOf(body),
    resolution: body.resolution as Json,
    resolution_id: body.resolution_id as Json,
  };
  const isSignedWith = (resolvedAt: Json): boolean =>
    verifySignature(objectOrEmpty(record.key), canonical({ ...base, resolved_at: resolvedAt }), v1);
  const resolvedAt = objectOrEmpty(body.response).resolved_at;
  if (!isSignedWith(resolvedAt ?? "")) {
    // The body of a task without a response has no resolved_at, so the hub may have signed any time.
    const signedTime = objectOrEmpty(record.signed).resolved_at;
    const isUnstatedTime = resolvedAt === undefined && signedTime !== undefined && isSignedWith(signedTime);
    report("the signature does not verify", ...(isUnstatedTime ? ["tasks-without-response"] : []));
  } else if (resolvedAt === undefined) report("the response has no resolved_at", "tasks-without-response");
  if (Math.abs(Number(record.clock) - Number(t)) > windowSeconds) report("the signature is outside of the window");
  for (const seen of listOrEmpty(record.seen).map(objectOrEmpty)) {
    const isFresh = Number(record.clock) - Number(seen.at) <= windowSeconds;
    if (seen.jti === jti && seen.in_reply_to !== body.in_reply_to && isFresh) report("the nonce was used before");
  }
}

/** Reads the header like a lenient agent, and reports each point that a strict agent refuses. */
function headerOf(report: ReportFault, text: Json | undefined): SignatureHeader | undefined {
  if (typeof text !== "string") return undefined;
  const parts = new Map<string, string>();
  for (const part of text.split(",")) {
    const [name = "", value = ""] = /^\s*([^=]*)=(.*?)\s*$/s.exec(part)?.slice(1) ?? [];
    if (parts.has(name)) report("a part of the header is repeated", "repeated-parts");
    parts.set(name, value);
  }
  const [t = "", jti = "", v1 = ""] = ["t", "jti", "v1"].map((name) => parts.get(name) ?? "");
  if (!/^\d+$/.test(t) || jti === "" || !/^[A-Za-z0-9_+/-]+={0,2}$/.test(v1)) return undefined;
  const bytes = Buffer.from(v1, "base64url");
  if (!/^t=\d+,jti=[^,\s]+,v1=[A-Za-z0-9_-]+$/.test(text) || bytes.toString("base64url") !== v1)
    report("the header is malformed", "loose-headers");
  return { t, jti, v1: bytes };
}

function verifySignature({ alg, secret, public_key: key }: JsonObject, text: string, signature: Buffer): boolean {
  if (alg === "ed25519") {
    if (signature.length !== 64) return false;
    try {
      return ed25519.verify(signature, Buffer.from(text), Buffer.from(String(key), "hex"));
    } catch {
      return false;
    }
  }
  const mac = createHmac("sha256", String(secret)).update(text).digest();
  return mac.length === signature.length && timingSafeEqual(mac, signature);
}
