import { readOnce } from "../../../../generators/index.ts";
import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { type Header, parseHeader } from "../../ahcp/rules/header.ts";
import { isInWindow, isSignedBy, replayWindow } from "../../ahcp/rules/signature.ts";
import { isKey } from "../../ahcp/rules/signed.ts";
import type { EntryKind } from "./kinds.ts";
import { type Addressee, addressOf, directiveDigest, entryContext } from "./signed-entry.ts";

/** A breach, and the rule that it breaks. */
interface EntryBreach extends Breach {
  rule: string;
}

/** The rule on the signature of each kind. */
const signing: Readonly<Record<EntryKind["member"], string>> = {
  directive: "MA2H-DSG-002",
  message: "MA2H-ESG-001",
  response: "MA2H-ESG-003",
  receipt: "MA2H-ESG-005",
};

/** An entry that reached an agent, and what the agent knows. */
interface TakenEntry {
  kind: EntryKind["member"];
  entry: JsonObject;
  addressee: Addressee;
}

function takenIn({ kind, entry, agent, session }: JsonObject): TakenEntry | undefined {
  const isKnown = typeof kind === "string" && Object.hasOwn(signing, kind);
  if (!isKnown || !isObject(entry) || typeof agent !== "string") return undefined;
  const addressee = { agent, session: typeof session === "string" ? session : undefined };
  return { kind: kind as EntryKind["member"], entry, addressee };
}

/** Every reason why an agent must not act on an entry. */
function* faults(record: Json): Iterable<EntryBreach> {
  const taken = isObject(record) ? takenIn(record) : undefined;
  if (!isObject(record) || taken === undefined || !isKey(record.key)) return;
  const { signature, clock, seen } = record;
  const header = typeof signature === "string" ? parseHeader(signature, true) : undefined;
  if (header === undefined) {
    const at = signature === undefined ? "" : "/signature";
    yield { rule: "MA2H-CNS-001", at, why: signature === undefined ? "has no signature" : "is malformed" };
    return;
  }
  yield* ofAddress(taken);
  yield* ofSignature(record, taken, header);
  if (typeof clock === "number" && !isInWindow(header.t, clock))
    yield { rule: "MA2H-CNS-005", at: "/clock", why: `is more than ${replayWindow} seconds away from t=${header.t}` };
  if (Array.isArray(seen) && seen.includes(header.jti))
    yield { rule: "MA2H-CNS-005", at: "/signature", why: "has a nonce that was seen before" };
}

function* ofAddress({ kind, entry, addressee }: TakenEntry): Iterable<EntryBreach> {
  if (kind !== "directive" && kind !== "message") return;
  const { to } = entry;
  const isOurs = to === `agent:${addressee.agent}` || (addressee.session !== undefined && to === addressOf(addressee));
  if (typeof to === "string" && !isOurs)
    yield { rule: "MA2H-CNS-004", at: "/entry/to", why: `is "${to}", and not the agent or its session` };
}

/** Explains a wrong signature by the known wrong recipe that it follows, if any. */
function* ofSignature(record: JsonObject, taken: TakenEntry, header: Header): Iterable<EntryBreach> {
  const { kind, entry, addressee } = taken;
  const context = contextOf(kind, entry, header, addressOf(addressee));
  if (!isKey(record.key) || (context !== undefined && isSignedBy(context, header.v1, record.key))) return;
  const { signed } = record;
  const at = "/signature";
  if (!isObject(signed) || context === undefined || !isSignedBy(signed, header.v1, record.key))
    yield { rule: kind === "receipt" ? "MA2H-CNS-012" : "MA2H-CNS-001", at, why: "does not verify" };
  else yield { ...departure(taken, signed, context) };
}

function contextOf(kind: EntryKind["member"], entry: JsonObject, header: Header, to: string): JsonObject | undefined {
  try {
    return entryContext(kind, entry, header, to);
  } catch {
    return undefined;
  }
}

/** The rule that is broken if the signed context differs from the agent's own. */
function departure({ kind, entry }: TakenEntry, signed: JsonObject, context: JsonObject): EntryBreach {
  const names = [...new Set([...Object.keys(context), ...Object.keys(signed)])].sort();
  const odd = names.find((name) => signed[name] !== context[name]) ?? "";
  const at = Object.hasOwn(signed, odd) ? `/signed/${odd}` : "/signed";
  const why = Object.hasOwn(context, odd) ? "is not what the agent rebuilds" : "is not among what is signed";
  if (kind === "response" && odd === "resolved_at" && entry.response === undefined)
    return { rule: "MA2H-ESG-004", at, why };
  if (kind === "response" && odd === "to") return { rule: "MA2H-CNS-010", at, why };
  if (odd !== "payload_sha256") return { rule: signing[kind], at, why };
  return { rule: digestRule(kind, entry, signed.payload_sha256) ?? signing[kind], at, why };
}

/** The rule on what a digest covers, if it was made with a member that it leaves out, or without one that it has. */
function digestRule(kind: EntryKind["member"], entry: JsonObject, digest: Json | undefined): string | undefined {
  const stamp = { t: "", jti: "" };
  const digestOf = (changed: JsonObject): Json | undefined => entryContext(kind, changed, stamp, "").payload_sha256;
  if (kind === "directive") {
    const unsigned = ["sensitive", "expires_at", "created_at"].filter((name) => Object.hasOwn(entry, name));
    const isCovered = unsigned.some((name) => directiveDigest(entry, [name]) === digest);
    return isCovered ? "MA2H-DSG-003" : undefined;
  }
  if (kind === "message") {
    const { type: _type, ...untyped } = entry;
    const { sensitive: _sensitive, ...unmarked } = entry;
    return [untyped, unmarked].some((each) => digestOf(each) === digest) ? "MA2H-ESG-002" : undefined;
  }
  return undefined;
}

const rules = [
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

/** The faults of a record, found once for all rules. */
const faultsOnce: (record: JsonObject) => EntryBreach[] = readOnce((record: JsonObject) => [...faults(record)]);

export const entryCheckers: readonly Checker[] = rules.map((number) => {
  const rule = `MA2H-${number}`;
  return {
    rule,
    documents: ["entry"],
    *check(record): Iterable<Breach> {
      if (!isObject(record)) return;
      for (const { rule: broken, ...breach } of faultsOnce(record)) if (broken === rule) yield breach;
    },
  };
});
