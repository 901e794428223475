import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { payloadDigest, type Stamp, sha256 } from "../../ahcp/rules/signature.ts";
import type { EntryKind } from "./kinds.ts";

/** Who verifies an entry: the agent, and the session by which it drained. */
export interface Addressee {
  agent: string;
  session?: string | undefined;
}

/** The address that the hub signs for an entry that goes to a session. */
export function addressOf({ agent, session }: Addressee): string {
  return session === undefined ? `agent:${agent}` : `agent:${agent}#${session}`;
}

const inDirective = ["title", "body", "priority", "tags", "context"];
const inMessage = ["type", "title", "body", "priority", "tags", "context", "request", "action", "sensitive"];
const inReceipt = ["at", "event", "id", "in_reply_to", "prior", "session"];

/** The members that are signed of an entry, as its addressee rebuilds them. */
export function entryContext(kind: EntryKind["member"], entry: JsonObject, { t, jti }: Stamp, to: string): JsonObject {
  const { ma2h_version = "", id = "", from = "", in_reply_to = "" } = entry;
  const both = { jti, ma2h_version, t };
  if (kind === "directive" || kind === "message") {
    const members = kind === "directive" ? inDirective : inMessage;
    return { ...both, from, id, to: entry.to ?? "", payload_sha256: digest({ [kind]: presentOf(entry, members) }) };
  }
  if (kind === "receipt") return { ...both, in_reply_to, to, receipt_sha256: digest(withNulls(entry, inReceipt)) };
  const { resolution = "", resolution_id = "", response } = entry;
  const resolved_at = isObject(response) ? (response.resolved_at ?? null) : null;
  return {
    ...both,
    id: in_reply_to,
    in_reply_to,
    to,
    resolution,
    resolution_id,
    resolved_at,
    payload_sha256: payloadDigest(entry),
  };
}

/** The digest of a directive with further members. */
export function directiveDigest(entry: JsonObject, more: readonly string[] = []): string {
  return digest({ directive: presentOf(entry, [...inDirective, ...more]) });
}

function presentOf(entry: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    members.flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name] as Json]] : [])),
  );
}

function withNulls(entry: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(members.map((name) => [name, entry[name] ?? null]));
}

function digest(value: Json): string {
  return sha256(canonical(value));
}
