import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ResponseTrack } from "./decisions.ts";

/** A session: a leased address of an agent. Times are milliseconds since 1970. */
export interface HubSession {
  id: string;
  agent: string;
  /** The members that the agent sent at registration. */
  given: JsonObject;
  /** The length of a lease in seconds. */
  ttl: number;
  createdAt: number;
  lastSeen: number;
  expiresAt: number;
  state: "active" | "closed" | "expired";
  endedAt?: number;
  /** Whether the person of the account has closed it. */
  isStopped?: boolean;
}

/** The delivery state of a mailbox entry. */
export interface Mail {
  state: "queued" | "delivered" | "acknowledged" | "bounced" | "expired";
  /** The state before the entry bounced. */
  prior?: "queued" | "delivered";
  deliveredAt?: number;
  acknowledgedAt?: number;
  /** Whether a stream has sent it, which does not prove delivery. */
  wasStreamed?: true;
  /** The time from which the entry can be claimed again. */
  hiddenUntil: number;
  /** Whether the push of the entry to a webhook is pending or over. */
  webhook?: "pending" | "over";
  /** The number of attempts to push it. */
  attempts?: number;
  /** The session that claimed the entry last. */
  claimedBy?: string;
}

/** A receipt for the session that sent a message. */
export interface Receipt {
  agent: string;
  session: string;
  at: number;
  payload: JsonObject;
}

/** A directive from a person to an agent. */
export interface Directive {
  agent: string;
  session?: string | undefined;
  at: number;
  payload: JsonObject;
  note?: string;
}

/** The sessions and mail of a hub. They survive a restart. */
export interface Post {
  sessions: Map<string, HubSession>;
  /** Delivery states, by the keys of entries. */
  mail: Map<string, Mail>;
  receipts: Receipt[];
  directives: Directive[];
  /** When each agent was seen last. */
  seen: Map<string, number>;
  /** The lists of senders from which agents accept messages, by agent. */
  allowedSenders: Map<string, string[]>;
  /** The delivery states of outcomes, by the ids of their messages. */
  tracks: Map<string, ResponseTrack>;
  /** The webhooks for directives, by their agents. */
  webhooks: Map<string, string>;
  /** The times of recent addressed submits, by sender. */
  submitTimes: Map<string, number[]>;
  /** The agents that the operator has stopped: they cannot register sessions. */
  stopped: Set<string>;
  /** The message store at the last check. A different store means that the hub has restarted. */
  store?: unknown;
}

export function emptyPost(): Post {
  return {
    sessions: new Map(),
    mail: new Map(),
    receipts: [],
    directives: [],
    seen: new Map(),
    allowedSenders: new Map(),
    tracks: new Map(),
    webhooks: new Map(),
    submitTimes: new Map(),
    stopped: new Set(),
  };
}

/** The delivery state of an entry. A new entry is queued. */
export function mailOf({ mail }: Post, key: string): Mail {
  const entryMail = mail.get(key) ?? { state: "queued", hiddenUntil: 0 };
  mail.set(key, entryMail);
  return entryMail;
}

/** Whether a session existed at this time and had not ended. */
export function wasAlive({ createdAt, endedAt = Number.POSITIVE_INFINITY }: HubSession, at: number): boolean {
  return createdAt <= at && at < endedAt;
}
