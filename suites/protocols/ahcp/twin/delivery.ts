import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { canonical, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { jsonIn } from "../../../packs/twins/json.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { fault } from "./schema.ts";

/** SHA-256 of the delivered content, in hex. */
function digestOf(payload: JsonObject): string {
  const { response = null, state = null } = payload;
  return createHash("sha256").update(canonical({ response, state })).digest("hex");
}

/** A payload, or its text, and its stated digest. */
export function digest(say: ReportFault, { payload, payload_sha256: statedDigest }: JsonObject): void {
  const value = typeof payload === "string" ? jsonIn(payload) : payload;
  if (!isObject(value) || digestOf(value) !== statedDigest) say("that is not its digest");
}

interface SignatureHeader {
  t: string;
  jti: string;
  v1: Buffer;
}

/** A delivery to an agent, which may or may not act on it. */
export function delivery(say: ReportFault, record: JsonObject, isStrict: (freedom: string) => boolean): void {
  const body = typeof record.body === "string" ? jsonIn(record.body) : record.body;
  if (!isObject(body)) {
    say("no Response");
    return;
  }
  const why = fault("response", body, isStrict);
  if (why !== undefined) {
    say(why);
    return;
  }
  if (record.channel === "push") judgePush(say, record, body);
  if (isObject(record.sealed) && body.state !== undefined && !equal(body.state, record.sealed)) say("an alien state");
  for (const each of listOrEmpty(record.acted).map(objectOrEmpty))
    if (each.in_reply_to === body.in_reply_to && each.resolution_id === body.resolution_id) say("done before");
  const { actor } = objectOrEmpty(body.response);
  if (typeof actor !== "string" || record.taken_for === undefined) return;
  const kind = actor === "system:default_on_expire" ? "default" : (actor.split(":")[0] as string);
  if (record.taken_for !== (kind === "human" ? "person" : kind)) say("taken for somebody else");
}

function judgePush(say: ReportFault, record: JsonObject, body: JsonObject): void {
  const header = headerOf(say, record.signature);
  if (header === undefined) {
    say("no signature");
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
  const isSigned = (at: Json): boolean =>
    isRight(objectOrEmpty(record.key), canonical({ ...base, resolved_at: at }), v1);
  const at = objectOrEmpty(body.response).resolved_at;
  if (at !== undefined ? !isSigned(at) : !isSigned("")) {
    // Nothing states when a task without a response was resolved.
    const gap = objectOrEmpty(record.signed).resolved_at;
    const isGap = at === undefined && gap !== undefined && isSigned(gap);
    say("the signature does not fit", ...(isGap ? ["tasks-without-response"] : []));
  } else if (at === undefined) say("nothing says when it was resolved", "tasks-without-response");
  if (Math.abs(Number(record.clock) - Number(t)) > 120) say("out of the window");
  for (const each of listOrEmpty(record.seen).map(objectOrEmpty)) {
    const isFresh = Number(record.clock) - Number(each.at) <= 120;
    if (each.jti === jti && each.in_reply_to !== body.in_reply_to && isFresh) say("a nonce seen before");
  }
}

/** Reads the header like a lenient agent, and reports each point that a strict agent refuses. */
function headerOf(say: ReportFault, text: Json | undefined): SignatureHeader | undefined {
  if (typeof text !== "string") return undefined;
  const parts = new Map<string, string>();
  for (const part of text.split(",")) {
    const [name = "", value = ""] = /^\s*([^=]*)=(.*?)\s*$/s.exec(part)?.slice(1) ?? [];
    if (parts.has(name)) say("a part comes twice", "repeated-parts");
    parts.set(name, value);
  }
  const [t = "", jti = "", v1 = ""] = ["t", "jti", "v1"].map((name) => parts.get(name) ?? "");
  if (!/^\d+$/.test(t) || jti === "" || !/^[A-Za-z0-9_+/-]+={0,2}$/.test(v1)) return undefined;
  const bytes = Buffer.from(v1, "base64url");
  if (!/^t=\d+,jti=[^,\s]+,v1=[A-Za-z0-9_-]+$/.test(text) || bytes.toString("base64url") !== v1)
    say("a header of another form", "loose-headers");
  return { t, jti, v1: bytes };
}

function isRight({ alg, secret, public_key: key }: JsonObject, text: string, signature: Buffer): boolean {
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
