import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { payloadDigest, type Stamp, sha256 } from "../../ahcp/rules/signature.ts";
import type { EntryKind } from "./kinds.ts";

/** The agent that verifies an entry, and the session with which it drained the mailbox. */
export interface Addressee {
  agent: string;
  session?: string | undefined;
}

/** The address of an agent, or of its session if there is one. */
export function addressOf({ agent, session }: Addressee): string {
  return session === undefined ? `agent:${agent}` : `agent:${agent}#${session}`;
}

const directiveMembers = ["title", "body", "priority", "tags", "context"];
const messageMembers = ["type", "title", "body", "priority", "tags", "context", "request", "action", "sensitive"];
const receiptMembers = ["at", "event", "id", "in_reply_to", "prior", "session"];

/** The members of an entry that its signature covers, as its addressee rebuilds them. */
export function entryContext(kind: EntryKind["member"], entry: JsonObject, { t, jti }: Stamp, to: string): JsonObject {
  const { ma2h_version = "", id = "", from = "", in_reply_to = "" } = entry;
  const common = { jti, ma2h_version, t };
  if (kind === "directive" || kind === "message") {
    const members = kind === "directive" ? directiveMembers : messageMembers;
    return {
      ...common,
      from,
      id,
      to: entry.to ?? "",
      payload_sha256: digestOf({ [kind]: presentMembers(entry, members) }),
    };
  }
  if (kind === "receipt")
    return { ...common, in_reply_to, to, receipt_sha256: digestOf(withNulls(entry, receiptMembers)) };
  const { resolution = "", resolution_id = "", response } = entry;
  const resolved_at = isObject(response) ? (response.resolved_at ?? null) : null;
  return {
    ...common,
    id: in_reply_to,
    in_reply_to,
    to,
    resolution,
    resolution_id,
    resolved_at,
    payload_sha256: payloadDigest(entry),
  };
}

/** The payload digest of a directive, which may cover additional members. */
export function directiveDigest(entry: JsonObject, extraMembers: readonly string[] = []): string {
  return digestOf({ directive: presentMembers(entry, [...directiveMembers, ...extraMembers]) });
}

function presentMembers(entry: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    members.flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name] as Json]] : [])),
  );
}

function withNulls(entry: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(members.map((name) => [name, entry[name] ?? null]));
}

function digestOf(value: Json): string {
  return sha256(canonical(value));
}
