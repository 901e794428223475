import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ResponseTrack } from "./decisions.ts";

/** A leased address of an agent. Times are milliseconds since 1970. */
export interface HubSession {
  id: string;
  agent: string;
  /** The members that the agent sent at registration. */
  given: JsonObject;
  /** Seconds. */
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
  prior?: "queued" | "delivered";
  deliveredAt?: number;
  acknowledgedAt?: number;
  /** Whether a stream has sent it, which does not prove delivery. */
  wasStreamed?: true;
  /** The time from which it can be claimed again. */
  hiddenUntil: number;
  /** Whether its push to a webhook is pending or over, and after how many attempts. */
  webhook?: "pending" | "over";
  attempts?: number;
  /** The session that claimed it last. */
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

/** The sessions and mail that a hub keeps; they outlive a restart. */
export interface Post {
  sessions: Map<string, HubSession>;
  /** Delivery states, by the keys of entries. */
  mail: Map<string, Mail>;
  receipts: Receipt[];
  directives: Directive[];
  /** When each agent was seen last. */
  seen: Map<string, number>;
  /** The senders whose messages agents accept, by the agents that have a list. */
  allowed: Map<string, string[]>;
  /** The delivery states of outcomes, by the ids of their messages. */
  tracks: Map<string, ResponseTrack>;
  /** The webhooks for directives, by their agents. */
  webhooks: Map<string, string>;
  /** The times of recent addressed submits, by sender. */
  paces: Map<string, number[]>;
  /** The agents that the operator has stopped: they cannot register sessions. */
  stopped: Set<string>;
  /** The message store at the last check; another one means that the hub has restarted. */
  store?: unknown;
}

export function emptyPost(): Post {
  return {
    sessions: new Map(),
    mail: new Map(),
    receipts: [],
    directives: [],
    seen: new Map(),
    allowed: new Map(),
    tracks: new Map(),
    webhooks: new Map(),
    paces: new Map(),
    stopped: new Set(),
  };
}

export function mailOf({ mail }: Post, key: string): Mail {
  const known = mail.get(key) ?? { state: "queued", hiddenUntil: 0 };
  mail.set(key, known);
  return known;
}

export function wasAlive({ createdAt, endedAt = Number.POSITIVE_INFINITY }: HubSession, at: number): boolean {
  return createdAt <= at && at < endedAt;
}
