import type { Report, Run } from "../../../schemas/index.ts";
import type { Score } from "../certify/score.ts";
import type { NotChecked } from "../certify/statement.ts";

/** A certificate of an implementation. */
export interface Certificate {
  /** SHA-256 of the public key, in hex. */
  key: string;
  /** Whether the maker of the site trusts that key. */
  isTrusted: boolean;
  scores: Omit<Score, "missing" | "failed">[];
  notChecked: NotChecked[];
}

/** An input of a site: a report, or a certificate with its report. */
export interface SiteEntry {
  /** The subject of the report; if absent, the name of its target is used. */
  implementation?: { name: string; release: string };
  report: Report;
  certificate?: Certificate;
  /** The file that the site offers for download. */
  download: { text: string; extension: string };
}

/** The state of a run as shown on the site. */
export interface SiteState {
  name: "conforms" | "fails" | "open";
  /** A few words, such as `2 violations`. */
  summary: string;
}

/** One run of an implementation at one release. */
export interface ShownRun {
  entry: SiteEntry;
  run: Run;
  state: SiteState;
}

export interface Release {
  name: string;
  slug: string;
  /** The latest run of each protocol version, by its name. */
  latest: Map<string, ShownRun>;
  /** Earlier runs of the same protocols, the latest first. */
  earlier: ShownRun[];
}

export interface Implementation {
  name: string;
  slug: string;
  /** The releases, the oldest first. */
  releases: Release[];
}

export interface SiteContent {
  implementations: Implementation[];
  /** The protocols with their versions, in order. */
  protocols: string[];
}

/** The contents of a site's files by path. Paths consist of lower-case letters, digits and `.~_-/`. */
export type Files = Map<string, string>;
