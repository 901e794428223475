import { randomBytes } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { MessageOutcome, RunningHub } from "./hub.ts";
import type { StoredMessage } from "./store.ts";
import { timestamp } from "./time.ts";

/** The actor of an applied default. No person or agent can have this name. */
export const defaultActor = "system:default_on_expire";

/** The Response that informs an agent about the end of its message. */
export function envelopeOf(hub: RunningHub, entry: StoredMessage, outcome: MessageOutcome, at: number): JsonObject {
  const { resolution, actor, value, comment, checklist } = outcome;
  const agent = isObject(entry.message.agent) ? entry.message.agent : {};
  return {
    ahcp_version: hub.protocol.version,
    in_reply_to: entry.id,
    resolution_id: `res_${randomBytes(16).toString("base64url")}`,
    agent: definedMembers({ id: agent.id, run_id: agent.run_id }),
    resolution,
    ...(actor === defaultActor ? { defaulted: true } : {}),
    response: definedMembers({ value, actor, resolved_at: timestamp(at), comment, checklist }),
    ...definedMembers({ state: entry.message.state }),
  };
}

/** The members that are not undefined. */
function definedMembers(values: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;
}
