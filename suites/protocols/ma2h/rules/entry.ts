import { readOnce } from "../../../../generators/index.ts";
import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { type Header, parseHeader } from "../../ahcp/rules/header.ts";
import { isInWindow, isSignedBy, replayWindow } from "../../ahcp/rules/signature.ts";
import { isVerificationKey } from "../../ahcp/rules/signed.ts";
import type { EntryKind } from "./kinds.ts";
import { type Addressee, addressOf, directiveDigest, entryContext } from "./signed-entry.ts";

/** A breach, with the rule that is broken. */
interface EntryBreach extends Breach {
  rule: string;
}

/** The rule about signatures, by the kind of entry. */
const signatureRules: Readonly<Record<EntryKind["member"], string>> = {
  directive: "MA2H-DSG-002",
  message: "MA2H-ESG-001",
  response: "MA2H-ESG-003",
  receipt: "MA2H-ESG-005",
};

/** An entry that an agent received, and the address of the agent. */
interface EntryAtAgent {
  kind: EntryKind["member"];
  entry: JsonObject;
  addressee: Addressee;
}

function readRecord({ kind, entry, agent, session }: JsonObject): EntryAtAgent | undefined {
  const isKnown = typeof kind === "string" && Object.hasOwn(signatureRules, kind);
  if (!isKnown || !isObject(entry) || typeof agent !== "string") return undefined;
  const addressee = { agent, session: typeof session === "string" ? session : undefined };
  return { kind: kind as EntryKind["member"], entry, addressee };
}

/** Finds every reason why an agent must not act on an entry. */
function* findFaults(record: Json): Iterable<EntryBreach> {
  const received = isObject(record) ? readRecord(record) : undefined;
  if (!isObject(record) || received === undefined || !isVerificationKey(record.key)) return;
  const { signature, clock, seen } = record;
  const header = typeof signature === "string" ? parseHeader(signature, true) : undefined;
  if (header === undefined) {
    const at = signature === undefined ? "" : "/signature";
    yield { rule: "MA2H-CNS-001", at, why: signature === undefined ? "has no signature" : "is malformed" };
    return;
  }
  yield* checkAddress(received);
  yield* checkSignature(record, received, header);
  if (typeof clock === "number" && !isInWindow(header.t, clock))
    yield { rule: "MA2H-CNS-005", at: "/clock", why: `is more than ${replayWindow} seconds away from t=${header.t}` };
  if (Array.isArray(seen) && seen.includes(header.jti))
    yield { rule: "MA2H-CNS-005", at: "/signature", why: "has a nonce that was seen before" };
}

function* checkAddress({ kind, entry, addressee }: EntryAtAgent): Iterable<EntryBreach> {
  if (kind !== "directive" && kind !== "message") return;
  const { to } = entry;
  const isForAgent =
    to === `agent:${addressee.agent}` || (addressee.session !== undefined && to === addressOf(addressee));
  if (typeof to === "string" && !isForAgent)
    yield { rule: "MA2H-CNS-004", at: "/entry/to", why: `is "${to}", and not the agent or its session` };
}

/** Reports a signature that does not verify. If the record contains the signed members, their difference determines the rule. */
function* checkSignature(record: JsonObject, received: EntryAtAgent, header: Header): Iterable<EntryBreach> {
  const { kind, entry, addressee } = received;
  const context = contextOf(kind, entry, header, addressOf(addressee));
  if (!isVerificationKey(record.key) || (context !== undefined && isSignedBy(context, header.v1, record.key))) return;
  const { signed } = record;
  const at = "/signature";
  if (!isObject(signed) || context === undefined || !isSignedBy(signed, header.v1, record.key))
    yield { rule: kind === "receipt" ? "MA2H-CNS-012" : "MA2H-CNS-001", at, why: "does not verify" };
  else yield { ...explainDifference(received, signed, context) };
}

function contextOf(kind: EntryKind["member"], entry: JsonObject, header: Header, to: string): JsonObject | undefined {
  try {
    return entryContext(kind, entry, header, to);
  } catch {
    return undefined;
  }
}

/** The breach if the signed members differ from the members that the agent rebuilds. */
function explainDifference({ kind, entry }: EntryAtAgent, signed: JsonObject, context: JsonObject): EntryBreach {
  const names = [...new Set([...Object.keys(context), ...Object.keys(signed)])].sort();
  const differingName = names.find((name) => signed[name] !== context[name]) ?? "";
  const at = Object.hasOwn(signed, differingName) ? `/signed/${differingName}` : "/signed";
  const why = Object.hasOwn(context, differingName) ? "is not what the agent rebuilds" : "is not among what is signed";
  if (kind === "response" && differingName === "resolved_at" && entry.response === undefined)
    return { rule: "MA2H-ESG-004", at, why };
  if (kind === "response" && differingName === "to") return { rule: "MA2H-CNS-010", at, why };
  if (differingName !== "payload_sha256") return { rule: signatureRules[kind], at, why };
  return { rule: digestRule(kind, entry, signed.payload_sha256) ?? signatureRules[kind], at, why };
}

/** The rule about the members of a digest, if the digest covers a member that it must omit, or omits one that it must cover. */
function digestRule(kind: EntryKind["member"], entry: JsonObject, digest: Json | undefined): string | undefined {
  const stamp = { t: "", jti: "" };
  const digestOf = (changed: JsonObject): Json | undefined => entryContext(kind, changed, stamp, "").payload_sha256;
  if (kind === "directive") {
    const unsignedNames = ["sensitive", "expires_at", "created_at"].filter((name) => Object.hasOwn(entry, name));
    const coversUnsigned = unsignedNames.some((name) => directiveDigest(entry, [name]) === digest);
    return coversUnsigned ? "MA2H-DSG-003" : undefined;
  }
  if (kind === "message") {
    const { type: _type, ...withoutType } = entry;
    const { sensitive: _sensitive, ...withoutMark } = entry;
    return [withoutType, withoutMark].some((reduced) => digestOf(reduced) === digest) ? "MA2H-ESG-002" : undefined;
  }
  return undefined;
}

const ruleNumbers = [
  "CNS-001",
  "CNS-004",
  "CNS-005",
  "CNS-010",
  "CNS-012",
  "DSG-002",
  "DSG-003",
  "ESG-001",
  "ESG-002",
  "ESG-003",
  "ESG-004",
  "ESG-005",
];

/** Finds the faults of a record only once, although each rule needs them. */
const findFaultsOnce: (record: JsonObject) => EntryBreach[] = readOnce((record: JsonObject) => [...findFaults(record)]);

export const entryCheckers: readonly Checker[] = ruleNumbers.map((number) => {
  const rule = `MA2H-${number}`;
  return {
    rule,
    documents: ["entry"],
    *check(record): Iterable<Breach> {
      if (!isObject(record)) return;
      for (const { rule: brokenRule, ...breach } of findFaultsOnce(record)) if (brokenRule === rule) yield breach;
    },
  };
});
