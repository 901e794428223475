import { randomBytes } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { MessageOutcome, RunningHub } from "./hub.ts";
import type { StoredMessage } from "./store.ts";
import { timestamp } from "./time.ts";

/** The actor of an applied default, who is never a person or an agent. */
export const defaultActor = "system:default_on_expire";

/** The Response that informs an agent about the end of its message. */
export function envelopeOf(hub: RunningHub, entry: StoredMessage, outcome: MessageOutcome, at: number): JsonObject {
  const { resolution, actor, value, comment, checklist } = outcome;
  const agent = isObject(entry.message.agent) ? entry.message.agent : {};
  return {
    ahcp_version: hub.protocol.version,
    in_reply_to: entry.id,
    resolution_id: `res_${randomBytes(16).toString("base64url")}`,
    agent: members({ id: agent.id, run_id: agent.run_id }),
    resolution,
    ...(actor === defaultActor ? { defaulted: true } : {}),
    response: members({ value, actor, resolved_at: timestamp(at), comment, checklist }),
    ...members({ state: entry.message.state }),
  };
}

/** The members with a value. */
function members(values: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as JsonObject;
}
