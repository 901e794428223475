import type { TargetConfig } from "./config.ts";

/** The commands that make reports. */
export const reportVerbs = ["run", "play", "fuzz", "challenge", "agent"] as const;
export type ReportVerb = (typeof reportVerbs)[number];

/** A target in a report: headers are reduced to their names, and addresses have no passwords. */
export type ReportTarget =
  | Exclude<TargetConfig, { kind: "http" | "mcp" }>
  | { kind: "mcp"; server: string; tools?: string[]; headers?: string[]; claims?: string[] }
  | { kind: "http"; url: string; headers?: string[]; endpoints?: Record<string, string>; claims?: string[] };

/** The options with which a run can be repeated. They contain no secrets. */
export interface ReportOptions {
  verb: ReportVerb;
  /** The name that the user gave: a protocol, `name@version`, or `all`. */
  protocol: string;
  target: ReportTarget;
  /** For `play`: the chosen party. */
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
  /** For `challenge`: the number of vectors for each protocol. */
  runs?: number;
  /** For `fuzz`: the chosen walk, as its file or its steps. */
  walk?: string;
}
