import type { Protocol } from "../protocol.ts";
import type { Cases } from "./cases.ts";
import type { Checker } from "./checker.ts";
import type { Sign } from "./signer.ts";

/** Enforces a rule besides its checker: a strict reader of texts, the anchored patterns of a schema, or its formats as assertions. */
export type Enforcer = "text" | "patterns" | "formats";

/** A group of related rules: their checkers, and the cases that test an implementation. */
export interface RuleFamily {
  name: string;
  checkers: readonly Checker[];
  cases: readonly Cases[];
  /** The ids of rules that something else enforces as well: an implementation that breaks them lacks that enforcer too. */
  enforcedBy?: Readonly<Record<string, Enforcer>>;
  /** Set if its rules are about the seal of a message, such as a signature, which cannot be restored by repairing single members. */
  seals?: true;
}

/**
 * For each document, its rules (`RULE`) in the order in which their vectors are published. `RULE/NAME` lists a single case separately. `*`
 * means all other documents. Unlisted rules come last, in the order of the families.
 */
export type PublishedOrder = Readonly<Record<string, readonly string[]>>;

/** A protocol together with the checkers and cases of its semantic rules. */
export interface RuledProtocol extends Protocol {
  families: readonly RuleFamily[];
  /** The order of the published vectors of cases; absent: the order of the families. */
  published?: PublishedOrder;
  /** Signs a message for publication, with all its other faults; for a protocol that signs its messages. */
  seal?: Sign;
}
