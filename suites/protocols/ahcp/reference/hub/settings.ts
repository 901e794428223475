import type { Credential } from "../../../../../schemas/index.ts";

/** The limits that the hub publishes and enforces. */
export interface HubLimits {
  bodyBytes: number;
  partBytes: number;
  contextParts: number;
  retentionDays: number;
  requestsPerMinute: number;
  inboxDepth: number;
}

/** How a hub writes its pushes that speaks a protocol which has other names. */
export interface PushDialect {
  signatures: typeof import("../../rules/signature.ts");
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  text(text: string): string;
}

export interface HubSettings {
  /** Absent: it writes the names of this protocol. */
  dialect?: PushDialect;
  /** `production` (absent: `development`, which delivers callbacks on the loopback interface). */
  profile?: "development" | "production";
  /** Callbacks are not checked, though this is production: only a hub that breaks a rule comes here. */
  relaxed?: boolean;
  /** File that outlives the hub. Absent: it forgets when it is closed, though not at a restart that is only played. */
  journal?: string;
  /** Without any, the hub is open: each caller is the agent that the message names, and may read everything. */
  credentials?: Readonly<Record<string, Credential>>;
  /** Factor on the pauses between attempts at delivery. */
  timeScale?: number;
  limits?: Partial<HubLimits>;
  /** Secrets and tokens by the reference under which a message names them. */
  vault?: Readonly<Record<string, string>>;
  /** Addresses of a host, in place of the system's resolver. */
  lookup?: (host: string) => Promise<readonly string[]>;
}

export const usualLimits: HubLimits = {
  bodyBytes: 65_536,
  partBytes: 262_144,
  contextParts: 16,
  retentionDays: 30,
  requestsPerMinute: 1200,
  inboxDepth: 1000,
};
