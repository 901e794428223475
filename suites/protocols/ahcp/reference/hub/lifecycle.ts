import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { deliver } from "./deliver.ts";
import { defaultActor, envelopeOf } from "./envelope.ts";
import type { HubAct, MessageOutcome, RunningHub } from "./hub.ts";
import { commit, note } from "./keeping.ts";
import type { StoredMessage } from "./store.ts";

/** Ends a message for good. The caller has just checked its status, and nothing ran since. */
export function end(hub: RunningHub, entry: StoredMessage, outcome: MessageOutcome, at: number): void {
  const envelope = hub.policy.envelope(envelopeOf(hub, entry, outcome, at), entry, hub);
  const ended = { event: "ended", id: entry.id, at: hub.clock.now(), status: outcome.resolution } as const;
  commit(hub, { ...ended, ...(envelope === undefined ? {} : { envelope }) });
  note(hub, "ended", { id: entry.id, agent: entry.agent, note: outcome.resolution, ...leakState(hub, entry.message) });
  deliver(hub, entry);
}

/** The log line of a hub that logs too much. */
export function leakState(
  hub: RunningHub,
  message: JsonObject,
): { leak?: NonNullable<ReturnType<RunningHub["policy"]["loggedContent"]>> } {
  const text = hub.policy.loggedContent(message);
  return text === undefined || text === null ? {} : { leak: text };
}

/** Ends a message after its deadline, whoever notices it. The exact time of the deadline is still in time. */
export function expire(hub: RunningHub, entry: StoredMessage, act: HubAct): void {
  const deadline = hub.policy.deadline(entry.message, entry.acceptedAt);
  if (entry.deleted || entry.status !== "open" || deadline === undefined) return;
  if (hub.clock.now() <= deadline + hub.policy.grace(act)) return;
  const value = hub.policy.defaultAnswer(entry.message);
  const outcome: MessageOutcome =
    value === undefined
      ? { resolution: "expired", actor: "system:expiry" }
      : { resolution: "expired", actor: defaultActor, value };
  end(hub, entry, outcome, hub.policy.expiredAt(deadline, hub.clock.now()));
}

/** Lets a message expire at its deadline even if it is not read. */
export function watch(hub: RunningHub, entry: StoredMessage): void {
  const deadline = hub.policy.deadline(entry.message, entry.acceptedAt);
  if (deadline === undefined || entry.status !== "open") return;
  const time = Math.floor(deadline + hub.policy.grace("sweep")) + 1;
  const sweep = (): void => {
    if (hub.store.entries.get(entry.id) === entry) expire(hub, entry, "sweep");
  };
  const { sweepDelay } = hub.policy;
  hub.clock.at(time, sweepDelay === 0 ? sweep : () => void setTimeout(sweep, sweepDelay).unref());
}

/** The block with the request or the action. */
export function blockOf(message: JsonObject): JsonObject {
  const block = message.type === "task" ? message.action : message.request;
  return isObject(block) ? block : {};
}
