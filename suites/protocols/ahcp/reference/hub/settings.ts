import type { Credential } from "../../../../../schemas/index.ts";

/** The limits that the hub publishes and enforces. */
export interface HubLimits {
  bodyBytes: number;
  partBytes: number;
  contextParts: number;
  retentionDays: number;
  requestsPerMinute: number;
  inboxDepth: number;
  /** Submits to other agents in a minute, if they are counted apart. */
  addressedPerMinute?: number;
}

/** How a hub writes its pushes if its protocol names the parts differently. */
export interface PushDialect {
  signatures: typeof import("../../rules/signature.ts");
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  text(text: string): string;
}

export interface HubSettings {
  /** If absent, it uses the names of this protocol. */
  dialect?: PushDialect;
  /** `production` (absent: `development`, which delivers callbacks on the loopback interface). */
  profile?: "development" | "production";
  /** Whether production skips the checks of callbacks. Only broken hubs set this. */
  relaxed?: boolean;
  /** The file of the journal, which survives the hub. If absent, the hub loses its state when it is closed, but not at a simulated restart. */
  journal?: string;
  /** Without credentials the hub is open: each caller is the agent that the message names, and may read everything. */
  credentials?: Readonly<Record<string, Credential>>;
  /** The factor for the pauses between attempts at delivery. */
  timeScale?: number;
  limits?: Partial<HubLimits>;
  /** Secrets and tokens, by the reference that messages use for them. */
  vault?: Readonly<Record<string, string>>;
  /** Looks up the addresses of a host, instead of the system's resolver. */
  lookup?: (host: string) => Promise<readonly string[]>;
}

export const defaultLimits: HubLimits = {
  bodyBytes: 65_536,
  partBytes: 262_144,
  contextParts: 16,
  retentionDays: 30,
  requestsPerMinute: 1200,
  inboxDepth: 1000,
};
