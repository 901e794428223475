import type { Credential } from "../../../../../schemas/index.ts";

/** The limits that the hub publishes and enforces. */
export interface HubLimits {
  bodyBytes: number;
  partBytes: number;
  contextParts: number;
  retentionDays: number;
  requestsPerMinute: number;
  inboxDepth: number;
  /** Submits to other agents per minute, if they have their own limit. */
  addressedPerMinute?: number;
}

/** How the hub of another protocol writes its pushes, if that protocol uses different names. */
export interface PushDialect {
  signatures: typeof import("../../rules/signature.ts");
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  text(text: string): string;
}

export interface HubSettings {
  /** The default is the dialect of AHCP. */
  dialect?: PushDialect;
  /** The default is `development`, which also delivers to callbacks on the loopback interface. */
  profile?: "development" | "production";
  /** Whether production skips the checks of callbacks. Only broken hubs set this. */
  relaxed?: boolean;
  /** The file of the journal. Without one, the hub loses its state when it is closed, but not at a simulated restart. */
  journal?: string;
  /** Without credentials, any caller may act as any agent and read every message. */
  credentials?: Readonly<Record<string, Credential>>;
  /** A factor for the pauses between push attempts. */
  timeScale?: number;
  limits?: Partial<HubLimits>;
  /** Secrets and tokens, by the reference that messages use for them. */
  vault?: Readonly<Record<string, string>>;
  /** Looks up the addresses of a host. The default is the system's resolver. */
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
