import type { Json } from "../json.ts";
import type { Level } from "../rule.ts";
import type { Capability, Change, Reading } from "../vector.ts";

/** The common members of a vector, valid or invalid. */
interface Case {
  /** Last part of the id, in kebab-case: stable once published. */
  name: string;
  /** Completes the sentence that begins with the place: `names an option that is not there`. */
  says: string;
  /** JSON Pointer to the exercised location. Absent: the location of the change, or the whole. */
  at?: string;
  /** The case is at a bound: just inside, or just outside. */
  edge?: true;
  /** Capabilities that a target must claim, besides those that follow from the rules and from the text. */
  needs?: readonly Capability[];
}

/** A case that keeps this rule and every other rule. */
export interface ValidCase extends Case {
  data?: Json;
  /** The text instead of a value, or its bytes. */
  text?: string | Uint8Array;
  /** Set if only an advisory rule requires acceptance, so that a refusal is less serious. */
  level?: Level;
}

/** A case that breaks this rule and no other: a valid case after a change. */
export interface InvalidCase extends Case {
  /** Name of the valid case. Absent: the first. */
  from?: string;
  change?: Change[];
  /** Instead of a change, for rules about the text. */
  text?: string | Uint8Array;
  /** Set if the level differs from the rule's own level and from the `level` of the breach. */
  level?: Level;
  /** Other locations that an answer may name for the fault, although a change there would not repair it alone. */
  involves?: readonly string[];
}

/** A case on which readings of the specification differ: at least one makes it valid and one invalid. */
export interface DisputedCase extends Omit<InvalidCase, "level" | "involves"> {
  readings: Reading[];
}

/** The published vectors of one rule for one document. */
export interface Cases {
  rule: string;
  document: string;
  valid: readonly ValidCase[];
  invalid: readonly InvalidCase[];
  disputed?: readonly DisputedCase[];
  /** The texts are YAML, not JSON. */
  yaml?: true;
  /** The rule grants a permission, so only the refusal of a valid message breaks it. */
  permits?: true;
}
