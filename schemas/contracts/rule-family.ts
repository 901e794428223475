import type { Protocol } from "../protocol.ts";
import type { Cases } from "./cases.ts";
import type { Checker } from "./checker.ts";
import type { Sign } from "./signer.ts";

/** What else keeps a rule: a strict reader of texts, a schema's patterns with their ends, or its formats taken as assertions. */
export type Enforcer = "text" | "patterns" | "formats";

/** Rules that belong together: how each is decided, and what shows whether somebody else decides it rightly. */
export interface RuleFamily {
  name: string;
  checkers: readonly Checker[];
  cases: readonly Cases[];
  /** Those of its rules, by id, that are kept beside the checker by something else: whoever breaks them lacks that as well. */
  enforcedBy?: Readonly<Record<string, Enforcer>>;
  /** Its rules are about how a message is sealed, such as by a signature: what repairs a message member by member leaves them alone. */
  seals?: true;
}

/**
 * By document, rules as `RULE` in the order in which the vectors of their cases were published; a case that stands apart from the others of its rule is
 * `RULE/NAME`. `*` stands for all other documents. Rules that are not listed come last, in the order of the families.
 */
export type PublishedOrder = Readonly<Record<string, readonly string[]>>;

/** A protocol together with the semantic rules that its pack decides. */
export interface RuledProtocol extends Protocol {
  families: readonly RuleFamily[];
  /** The order in which vectors of cases were published; absent: that of the families. */
  published?: PublishedOrder;
  /** Signs a message that is to be published, whatever else is wrong with it; for a protocol that signs its messages. */
  seal?: Sign;
}
