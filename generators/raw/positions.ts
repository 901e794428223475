import type { Level } from "../../schemas/index.ts";
import type { Issue } from "./issues.ts";

/** What a protocol makes of an issue, where it says more than RFC 8259. */
export interface Ruling {
  rule?: string;
  /** The protocol decides what RFC 8259 leaves open. */
  invalid?: true;
  level?: Level;
  /** Where a breach counts in full all the same. */
  except?: readonly string[];
  /** Why some would refuse it, with the rule that they would refer to. */
  why?: string;
}

/** Where a protocol stands on the text of its messages. */
export interface Position {
  rulings: Partial<Record<Issue, Ruling>>;
  /** Texts may be YAML as well. */
  yaml?: true;
  /** Levels of nesting below a member that stay within what the protocol grants; 100 otherwise. */
  levels?: number;
}

const positions: Readonly<Record<string, Position>> = {
  ahcp: {
    rulings: {
      rewritten: { rule: "AHCP-ENV-024" },
      malformed: { rule: "AHCP-ERR-003" },
      // A hub that takes what is not UTF-8 is only warned.
      encoding: { rule: "AHCP-ERR-003", level: "SHOULD" },
    },
  },
  aaep: {
    rulings: {
      rewritten: { rule: "AAEP-ENV-001" },
      malformed: { rule: "AAEP-ENV-001" },
      encoding: { rule: "AAEP-ENV-001" },
      // The rule has no mark, while RFC 8259 lets every parser ignore one: who does so is only warned.
      mark: { rule: "AAEP-ENV-001", invalid: true, level: "SHOULD" },
      surrogate: { rule: "AAEP-ENV-001", invalid: true },
      repeated: { rule: "AAEP-ENV-001", invalid: true, level: "SHOULD" },
      // A second value is an error where safety depends on it: what is asked, by whom, and what is answered.
      contradicted: {
        rule: "AAEP-ENV-001",
        invalid: true,
        level: "SHOULD",
        except: ["/type", "/reply_token", "/decision", "/default_decision"],
      },
      deep: { rule: "AAEP-ENV-036", why: "events keep to 8 levels" },
      inexact: { rule: "AAEP-ENV-035", why: "integers beyond 2^53 are sent as strings" },
    },
    levels: 5,
  },
  snap: {
    rulings: {
      rewritten: { rule: "SNAP-ENV-001" },
      malformed: { rule: "SNAP-ENV-001" },
      encoding: { rule: "SNAP-ENV-001" },
      surrogate: { rule: "SNAP-ENV-016", invalid: true },
      repeated: { rule: "SNAP-ENV-016", invalid: true },
      contradicted: { rule: "SNAP-ENV-016", invalid: true },
      deep: { rule: "SNAP-PAY-018", why: "a payload has no more than 10 levels" },
    },
    levels: 5,
  },
  agentformat: {
    rulings: {
      // Readers of YAML 1.1 differ on tabs, on line breaks before a colon and on exponents.
      rewritten: { rule: "AGF-DOC-005", level: "SHOULD" },
      malformed: { rule: "AGF-DOC-005" },
      encoding: { rule: "AGF-DOC-005" },
      repeated: { rule: "AGF-DOC-005", invalid: true },
      contradicted: { rule: "AGF-DOC-005", invalid: true },
    },
    yaml: true,
  },
  "agent-conventions": {
    // A validator is judged by the schemas alone: how its loader takes a text never fails it.
    rulings: {
      rewritten: { rule: "CONV-BASE-001", level: "SHOULD" },
      malformed: { rule: "CONV-BASE-001", level: "SHOULD" },
      encoding: { rule: "CONV-BASE-001", level: "SHOULD" },
    },
    yaml: true,
  },
};

/** The position of a protocol; of one that is not known here, RFC 8259 alone. */
export function positionOf(protocol: string): Position {
  return Object.hasOwn(positions, protocol) ? (positions[protocol] as Position) : { rulings: {} };
}
