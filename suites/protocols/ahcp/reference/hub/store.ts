import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Happening, PushState } from "./journal.ts";

/** A stored message. */
export interface StoredMessage {
  id: string;
  /** The id of the agent that submitted it. */
  agent: string;
  /** The submitted message; empty after its deletion. */
  message: JsonObject;
  status: string;
  /** When the message was accepted, and when its status last changed, in milliseconds since 1970. */
  acceptedAt: number;
  changedAt: number;
  /** The Response, after the message has ended. */
  envelope?: JsonObject;
  deleted: boolean;
  push: PushState;
  attempts: number;
}

/** The memory of a hub. */
export interface Store {
  entries: Map<string, StoredMessage>;
  /** Message ids by scoped idempotency key; undefined for a key that a refused message used up. */
  keys: Map<string, string | undefined>;
  /** The agents to which each callback host is bound. */
  hostOwners: Map<string, Set<string>>;
  /** The number of open asks and tasks of each agent. */
  openCounts: Map<string, number>;
}

export function emptyStore(): Store {
  return { entries: new Map(), keys: new Map(), hostOwners: new Map(), openCounts: new Map() };
}

/** Applies an event to the store. */
export function applyHappening(store: Store, happening: Happening): void {
  if (happening.event === "bound") {
    const { host, agent } = happening;
    store.hostOwners.set(host, new Set([...(store.hostOwners.get(host) ?? []), agent]));
    return;
  }
  if (happening.event === "consumed") {
    store.keys.set(happening.key, undefined);
    return;
  }
  if (happening.event === "accepted") {
    const { id, agent, message, status, at, key } = happening;
    const times = { acceptedAt: at, changedAt: at };
    store.entries.set(id, { id, agent, message, status, ...times, deleted: false, push: "pending", attempts: 0 });
    if (key !== undefined) store.keys.set(key, id);
    if (status === "open") changeOpenCount(store, agent, 1);
    return;
  }
  const entry = store.entries.get(happening.id);
  if (entry === undefined) return;
  const wasOpen = entry.status === "open" && !entry.deleted;
  switch (happening.event) {
    case "ended":
      entry.status = happening.status;
      entry.changedAt = happening.at;
      if (happening.envelope !== undefined) entry.envelope = happening.envelope;
      break;
    case "attempted":
      entry.push = happening.push;
      entry.attempts = happening.attempts;
      break;
    case "deleted":
      entry.deleted = true;
      entry.message = {};
      delete entry.envelope;
      break;
  }
  if (wasOpen && (entry.status !== "open" || entry.deleted)) changeOpenCount(store, entry.agent, -1);
}

function changeOpenCount(store: Store, agent: string, change: number): void {
  store.openCounts.set(agent, (store.openCounts.get(agent) ?? 0) + change);
}
