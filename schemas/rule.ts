import type { Dependence } from "./value-conditions.ts";

/** Requirement levels of BCP 14; NOTE marks an entry of a catalogue without a requirement. */
export const levels = ["MUST", "SHOULD", "MAY", "NOTE"] as const;
export type Level = (typeof levels)[number];

/** The ways to check a rule. */
export const checks = ["schema", "semantic", "trace", "stateful", "delivery", "manual"] as const;
export type Check = (typeof checks)[number];

/** How a rule is covered, or why it is not (yet). */
export type RuleStatus = { covered: string } | { planned: string } | { untested: string };

/** The coverage of a rule that is checked against every answer of a server instead of by its own vectors. */
export const byAnswers = "the answers to its vectors";

/** Whether a rule is checked against every answer instead of by its own vectors. */
export function isByAnswers(status: RuleStatus): boolean {
  return "covered" in status && status.covered === byAnswers;
}

/** One normative requirement of a protocol. */
export interface Rule extends Dependence {
  id: string;
  level: Level;
  /** Clause or source mark in the protocol's text. */
  clause: string;
  statement: string;
  /** The bound parties: hub, agent, message, producer, … */
  binds: string[];
  /** Conformance level or tier, if the protocol has them. */
  tier?: string;
  check: Check;
  /** Schema locations (`SCHEMA_ID#/json/pointer`) that state the rule; each covers everything beneath it. */
  sites?: string[];
  /**
   * Its basis if the text has no keyword of BCP 14: a plain sentence or a table (`assertion`), or our reading of a silent or contradictory
   * text (`position`).
   */
  basis?: "assertion" | "position";
  /** Ids of the positions on which it is based, or which limit it: see `positions.json`. */
  positions?: string[];
  /** Their conclusion for this rule. */
  position?: string;
  /** The judgement of a breach, if different from the level; `either`: both answers are fine. */
  verdict?: "fail" | "warn" | "either";
  /** The author of a document is judged by the level, and only its reader by `verdict`. */
  author?: "fail";
  /** Ids of rules. A breach of one of them may be the only cause of a breach of this rule. */
  follows?: string[];
  status: RuleStatus;
}

export interface RuleFile {
  $schema: string;
  protocol: string;
  version: string;
  rules: Rule[];
}

/** The rules by their sites, cached because rules never change. */
const rulesBySite = new WeakMap<readonly Rule[], ReadonlyMap<string, Rule>>();

function sitesOf(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  const cached = rulesBySite.get(rules);
  if (cached !== undefined) return cached;
  const sites = new Map<string, Rule>();
  for (const rule of rules) for (const site of rule.sites ?? []) if (!sites.has(site)) sites.set(site, rule);
  rulesBySite.set(rules, sites);
  return sites;
}

/** The rule with the longest site that is the location itself or above it; ties go to the first. */
export function ruleAt(rules: readonly Rule[], location: string): Rule | undefined {
  const sites = sitesOf(rules);
  let rule = sites.get(location);
  for (let end = location.length - 1; rule === undefined && end >= 0; end -= 1) {
    const mark = location[end];
    if (mark === "/") rule = sites.get(location.slice(0, end));
    else if (mark === "#") rule = sites.get(location.slice(0, end + 1));
  }
  return rule;
}

/** Whether a location is the site, or below it. */
export function isAt(location: string, site: string): boolean {
  return location === site || location.startsWith(site.endsWith("#") ? site : `${site}/`);
}

/** The level at which a breach of the rule counts. It is the rule's own level, unless its `verdict` raises or lowers it. */
export function levelOf({ level, verdict }: Pick<Rule, "level" | "verdict">): Level {
  if (verdict === "fail") return "MUST";
  return level === "MUST" && (verdict === "warn" || verdict === "either") ? "SHOULD" : level;
}
