import type { TargetConfig } from "./config.ts";

/** The commands that make reports. */
export const reportVerbs = ["run", "play", "fuzz", "challenge", "agent"] as const;
export type ReportVerb = (typeof reportVerbs)[number];

/** A target as a report names it: of headers there are the names alone, and of an address everything but a password. */
export type ReportTarget =
  | Exclude<TargetConfig, { kind: "http" | "mcp" }>
  | { kind: "mcp"; server: string; tools?: string[]; headers?: string[]; claims?: string[] }
  | { kind: "http"; url: string; headers?: string[]; endpoints?: Record<string, string>; claims?: string[] };

/** How a run was called, as far as repeating it needs. No secret is in it. */
export interface ReportOptions {
  verb: ReportVerb;
  /** As it was named: a protocol, `name@version`, or `all`. */
  protocol: string;
  target: ReportTarget;
  /** Of play: the party that was wanted. */
  side?: string;
  seed?: number;
  timeoutMs?: number;
  concurrency?: number;
  /** Folder of a vector set other than the built-in one. */
  vectors?: string;
  /** Whether scenarios were played as well. */
  scenarios?: boolean;
  /** The chosen readings of contradictory specifications. */
  readings?: string[];
  /** File of the configuration; false: none, even if one is found. */
  config?: string | false;
  /** Of a challenge: vectors for each protocol. */
  runs?: number;
  /** Of fuzzing: the one walk that was wanted, its file or its steps. */
  walk?: string;
}
