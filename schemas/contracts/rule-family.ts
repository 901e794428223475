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
  /** Rules, by id, that something else enforces as well: an implementation that breaks them lacks that too. */
  enforcedBy?: Readonly<Record<string, Enforcer>>;
  /** Its rules are about the seal of a message, such as a signature: code that repairs a message member by member does not repair these. */
  seals?: true;
}

/**
 * By document, rules as `RULE` in the order of publication of their vectors; a case apart from the others of its rule is `RULE/NAME`. `*`
 * means all other documents. Unlisted rules come last, in the order of the families.
 */
export type PublishedOrder = Readonly<Record<string, readonly string[]>>;

/** A protocol together with the semantic rules that its pack decides. */
export interface RuledProtocol extends Protocol {
  families: readonly RuleFamily[];
  /** The order of publication of the vectors of cases; absent: the order of the families. */
  published?: PublishedOrder;
  /** Signs a message for publication, with all its other faults; for a protocol that signs its messages. */
  seal?: Sign;
}
