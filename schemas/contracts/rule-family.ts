import type { Protocol } from "../protocol.ts";
import type { Cases } from "./cases.ts";
import type { Checker } from "./checker.ts";
import type { Sign } from "./signer.ts";

/** The further enforcers of a rule: a strict reader of texts, a schema's patterns with their ends, or its formats as assertions. */
export type Enforcer = "text" | "patterns" | "formats";

/** A group of related rules: the checker of each, and the cases that test another checker. */
export interface RuleFamily {
  name: string;
  checkers: readonly Checker[];
  cases: readonly Cases[];
  /** The ids of rules that something else enforces as well: an implementation that breaks them lacks that enforcer too. */
  enforcedBy?: Readonly<Record<string, Enforcer>>;
  /** Whether its rules are about the seal of a message, such as a signature, which repairing single members cannot restore. */
  seals?: true;
}

/**
 * For each document, its rules (`RULE`) in the order in which their vectors are published. `RULE/NAME` lists a single case separately. `*`
 * means all other documents. Unlisted rules come last, in the order of the families.
 */
export type PublishedOrder = Readonly<Record<string, readonly string[]>>;

/** A protocol together with the semantic rules that its pack decides. */
export interface RuledProtocol extends Protocol {
  families: readonly RuleFamily[];
  /** The order of the published vectors of cases; absent: the order of the families. */
  published?: PublishedOrder;
  /** Signs a message for publication, with all its other faults; for a protocol that signs its messages. */
  seal?: Sign;
}
