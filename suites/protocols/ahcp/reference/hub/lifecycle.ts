import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { deliver } from "./deliver.ts";
import { defaultActor, envelopeOf } from "./envelope.ts";
import type { HubAct, MessageOutcome, RunningHub } from "./hub.ts";
import { commit, note } from "./keeping.ts";
import type { StoredMessage } from "./store.ts";

/** Ends a message. The caller must have checked its status in the same turn of the event loop. */
export function end(hub: RunningHub, entry: StoredMessage, outcome: MessageOutcome, at: number): void {
  const envelope = hub.policy.envelope(envelopeOf(hub, entry, outcome, at), entry, hub);
  const ended = { event: "ended", id: entry.id, at: hub.clock.now(), status: outcome.resolution } as const;
  commit(hub, { ...ended, ...(envelope === undefined ? {} : { envelope }) });
  note(hub, "ended", { id: entry.id, agent: entry.agent, note: outcome.resolution, ...leakState(hub, entry.message) });
  deliver(hub, entry);
}

/** Content that a broken hub adds to a log line. */
export function leakState(
  hub: RunningHub,
  message: JsonObject,
): { leak?: NonNullable<ReturnType<RunningHub["policy"]["loggedContent"]>> } {
  const content = hub.policy.loggedContent(message);
  return content === undefined || content === null ? {} : { leak: content };
}

/** Ends an open message if its deadline has passed. At the exact time of the deadline, it is still open. */
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

/** Sets a timer that ends the message after its deadline, even if no request notices it. */
export function watchDeadline(hub: RunningHub, entry: StoredMessage): void {
  const deadline = hub.policy.deadline(entry.message, entry.acceptedAt);
  if (deadline === undefined || entry.status !== "open") return;
  const time = Math.floor(deadline + hub.policy.grace("sweep")) + 1;
  const sweep = (): void => {
    if (hub.store.entries.get(entry.id) === entry) expire(hub, entry, "sweep");
  };
  const { sweepDelay } = hub.policy;
  hub.clock.at(time, sweepDelay === 0 ? sweep : () => void setTimeout(sweep, sweepDelay).unref());
}

/** The request of an ask or the action of a task; empty if there is none. */
export function blockOf(message: JsonObject): JsonObject {
  const block = message.type === "task" ? message.action : message.request;
  return isObject(block) ? block : {};
}
