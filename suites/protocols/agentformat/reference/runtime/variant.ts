import type { Decisions } from "./decisions.ts";

/** A runtime that decides wrongly in one way. */
export interface RuntimeVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "one that". */
  says: string;
  decisions: Partial<Decisions>;
}

/** By the name that tells it from others that break the same rule, or none: what a runtime does, and its wrong decisions. */
export type Mistakes = Readonly<Record<string, readonly [says: string, decisions: Partial<Decisions>]>>;

/** Runtimes that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: Mistakes): RuntimeVariant[] {
  return Object.entries(mistakes).map(([name, [says, decisions]]) => ({
    rule,
    ...(name === "" ? {} : { name }),
    says,
    decisions,
  }));
}

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: RuntimeVariant): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}
