import type { Change, Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Location, Model, Scope } from "../model/model.ts";

/** The circumstances of an injected fault: a keyword that holds at one location of a valid instance. */
export interface FaultContext {
  model: Model;
  keyword: Keyword;
  scope: Scope;
  /** The valid instance, and the pointer and value of the part to which the keyword applies. */
  parent: Json;
  at: string;
  value: Json;
  /** Whether this is the first place that reaches the keyword. Later places get only the most distinctive faults. */
  first: boolean;
  /** Members that only other branches of the same choice declare, with their schemas there. */
  foreign: ReadonlyMap<string, Location>;
  /** All names declared anywhere for this object. */
  declared: readonly string[];
  /** The values at this location in instances that break no semantic rule. */
  ruleKeepingValues: readonly Json[];
  /** The number of binding semantic rules that an instance breaks. */
  countBreaches(instance: Json): number;
  /** A value that fulfils the formulas, similar to the hint; undefined if none is found. */
  solve(formulas: readonly Formula[], hint?: Json): Json | undefined;
}

/** One way to break one site. The caller checks that it breaks no other site. */
export interface Proposal {
  fault: string;
  /** Distinguishes siblings of one fault, as the last part of the id. */
  detail?: string;
  /** The assertion that breaks: the keyword or one entry of it. */
  site: Location;
  /** Location of the fault in the instance. */
  at: string;
  change: Change[];
  /** The fault, as a clause after the location: `is 86401, over the maximum of 86400`. It may be a getter, because most proposals are never described. */
  readonly says: string;
  tags?: string[];
  /** Whether the fault is used only if it kills a mutant. */
  spare?: true;
}

/** A family of faults: the keywords that it breaks, and how. */
export interface Family {
  name: string;
  keywords: readonly Keyword["kind"][];
  propose(context: FaultContext): Iterable<Proposal>;
}

export function replace(at: string, value: Json): Change[] {
  return [{ op: "replace", path: at, value }];
}

/** Writes a name as an author who ignores letter case might. */
export function inOtherCase(name: string): string {
  return name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase();
}

/** Writes a count with its noun: `1 item`, `2 items`. */
export function countInWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Writes a value as text for a description, cut if it is long. */
export function show(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 48 ? text : `${text.slice(0, 40)}… (${text.length} characters)`;
}
