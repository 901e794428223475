import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ResponseTrack } from "./decisions.ts";

/** A leased address of an agent. Times are milliseconds since 1970. */
export interface HubSession {
  id: string;
  agent: string;
  /** The members that the agent chose. */
  given: JsonObject;
  /** Seconds. */
  ttl: number;
  createdAt: number;
  lastSeen: number;
  expiresAt: number;
  state: "active" | "closed" | "expired";
  endedAt?: number;
  /** Whether the person of the account closed it. */
  isStopped?: boolean;
}

/** How far an entry of a mailbox has come. */
export interface Mail {
  state: "queued" | "delivered" | "acknowledged" | "bounced" | "expired";
  prior?: "queued" | "delivered";
  deliveredAt?: number;
  acknowledgedAt?: number;
  /** Whether a stream has brought it, which proves no delivery. */
  wasStreamed?: true;
  /** When it can be claimed again. */
  hiddenUntil: number;
  /** How far it is on its way to a webhook, and after how many attempts. */
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

/** What a person tells an agent. */
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
  /** By the keys of entries. */
  mail: Map<string, Mail>;
  receipts: Receipt[];
  directives: Directive[];
  /** When each agent was seen last. */
  seen: Map<string, number>;
  /** The senders whose messages agents accept, by the agents that have a list. */
  allowed: Map<string, string[]>;
  /** How far outcomes are, by the ids of their messages. */
  tracks: Map<string, ResponseTrack>;
  /** The webhooks for directives, by their agents. */
  webhooks: Map<string, string>;
  /** When agents wrote to others lately. */
  paces: Map<string, number[]>;
  /** The agents that may register no session. */
  stopped: Set<string>;
  /** The messages of the hub as they were when it was started last. */
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
