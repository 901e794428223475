import { isObject, type Json, type JsonObject, type Reason } from "../../../../../schemas/index.ts";
import { refusalSentence } from "../../../../packs/reference/service.ts";
import type { Caller } from "./access.ts";
import { refuseForbiddenTarget } from "./destination.ts";
import type { RunningHub } from "./hub.ts";
import { commit, note } from "./keeping.ts";
import { blockOf, expire, leakState, watchDeadline } from "./lifecycle.ts";
import { refuseOverDepth, refuseOverSize } from "./limits.ts";
import { fault, type HubReply } from "./reply.ts";
import type { StoredMessage } from "./store.ts";

/** A submitted message that the schema allows. */
export interface Submission {
  message: JsonObject;
  /** The semantic rules that the message breaks. */
  reasons: readonly Reason[];
  caller: Caller;
  /** The origin of the request's URL, with which the poll URL begins. */
  origin: string;
}

/** Accepts a message, recognizes a repetition, or refuses it. It checks the sender first, then the key, then the content. */
export async function submit(hub: RunningHub, submission: Submission): Promise<HubReply> {
  const { message, caller, origin } = submission;
  const { policy } = hub;
  const agent = agentOf(message);
  const refuse = (reply: HubReply): HubReply => policy.reply(reply, { route: "refusal", hub });

  const senderRefusal = refuseOldPush(hub, message) ?? refuseOtherAgent(hub, caller, message);
  if (senderRefusal !== undefined) return refuse(senderRefusal);
  const key = policy.keyOf(message);
  const earlyRefusal = policy.replaysFirst ? undefined : refuseSubmission(hub, submission, agent);
  if (earlyRefusal !== undefined) return refuse(earlyRefusal);
  const replayedReply = replayReply(hub, key, message, origin);
  if (replayedReply !== undefined) return replayedReply.reply;
  const refusal = refuseSubmission(hub, submission, agent);
  if (refusal !== undefined) {
    // A message refused by a rate limit keeps its key, because its sender will repeat it unchanged.
    if (policy.usesUpKeyOnRefusal && key !== undefined && refusal.status !== 429)
      commit(hub, { event: "consumed", key });
    return refuse(refusal);
  }
  const gap = policy.gap?.("submit", hub);
  if (gap !== undefined) {
    await gap;
    const racingReply = replayReply(hub, key, message, origin);
    if (racingReply !== undefined && policy.noticesRace(racingReply.isSame)) return racingReply.reply;
  }

  const id = policy.idFor(message, hub);
  const status = message.type === "notify" ? "delivered" : "open";
  const accepted = { event: "accepted", id, at: hub.clock.now(), agent, status, message } as const;
  commit(hub, { ...accepted, ...(key === undefined ? {} : { key }) });
  const entry = hub.store.entries.get(id) as StoredMessage;
  watchDeadline(hub, entry);
  note(hub, "accepted", { id, agent, note: String(message.type), ...leakState(hub, message) });
  return policy.reply(acknowledgeEntry(entry, origin), { route: "submit", hub, entry });
}

function agentOf({ agent }: JsonObject): string {
  return isObject(agent) ? String(agent.id) : "";
}

/** Refuses a request for a push from a version before 0.3, because agents of that version could not verify the push. */
function refuseOldPush({ policy }: RunningHub, message: JsonObject): HubReply | undefined {
  const { callback } = blockOf(message);
  if (
    !isObject(callback) ||
    callback.mode !== "push" ||
    policy.mayAskForPush(String(message.ahcp_version), String(message.type))
  )
    return undefined;
  return fault("version_not_supported", "push needs version 0.3: ask for pull, or send 0.3");
}

function refuseOtherAgent(hub: RunningHub, { principal }: Caller, message: JsonObject): HubReply | undefined {
  if (principal === undefined || hub.policy.speaksFor(principal, agentOf(message), message, hub)) return undefined;
  return fault("agent_id_mismatch", "/agent/id is not the agent of this credential");
}

/** The reply to a message with a known key: an acknowledgment or a conflict. */
function replayReply(
  hub: RunningHub,
  key: string | undefined,
  message: JsonObject,
  origin: string,
): { reply: HubReply; isSame: boolean } | undefined {
  if (key === undefined || !hub.store.keys.has(key)) return undefined;
  const entry = hub.store.entries.get(hub.store.keys.get(key) ?? "");
  if (entry !== undefined && !hub.policy.knowsKeyOf(entry, hub.clock.now())) return undefined;
  // The content of a deleted message is gone, so any repetition counts as the same message.
  if (entry !== undefined && (entry.deleted || hub.policy.isSame(message, entry))) {
    expire(hub, entry, "read");
    return { reply: hub.policy.reply(acknowledgeEntry(entry, origin), { route: "replay", hub, entry }), isSame: true };
  }
  const refusal = fault("idempotency_conflict", "/idempotency_key was used before, with another payload");
  return { reply: hub.policy.reply(refusal, { route: "refusal", hub }), isSame: false };
}

function acknowledgeEntry({ id, status }: StoredMessage, origin: string): HubReply {
  return { status: 202, body: { id, status, poll_url: `${origin}/v1/messages/${encodeURIComponent(id)}` } };
}

/** Refuses a well-formed message for its content or for a limit. */
function refuseSubmission(hub: RunningHub, { message, reasons }: Submission, agent: string): HubReply | undefined {
  const enforcedReasons = reasons.filter((reason) => hub.policy.enforcesReason(reason));
  if (enforcedReasons.length > 0)
    return fault("invalid_field", refusalSentence({ kind: "invalid", reasons: enforcedReasons }));
  if (isNestedTooDeeply(message))
    return fault("invalid_field", `the message is nested more than ${maxDepth} levels deep`);
  const { expires_at: deadline } = message;
  // A notify never expires, so its deadline is ignored.
  const hasDeadline = typeof deadline === "string" && message.type !== "notify";
  if (hasDeadline && !hub.policy.isDeadlineAhead(deadline, hub.clock.now(), message))
    return fault("invalid_field", "/expires_at is not ahead of the hub's clock");
  return (
    refuseOverSize(hub, message) ??
    refuseForbiddenTarget(hub, blockOf(message).callback, { agent, message }) ??
    hub.policy.refuseContent(message, hub) ??
    refuseOverDepth(hub, agent, message)
  );
}

/** Signing is recursive. It fails only at a much greater depth. */
const maxDepth = 1000;

function isNestedTooDeeply(message: JsonObject): boolean {
  let level: Json[] = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return false;
}
