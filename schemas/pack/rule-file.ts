import type { Enforcer } from "../contracts/rule-family.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Check, Level } from "../rule.ts";
import type { Dependence } from "../value-conditions.ts";
import type { Capability, Change, Reading } from "../vector.ts";
import type { RuleEntry } from "./file.ts";
import type { StepEntry } from "./scenario.ts";

/** The values that a member may have: a list, the values at a location, or a list for each value of another member. */
export type ValueChoice = Json[] | string | { by: string; values: Record<string, Json[]> };

/**
 * Conditions on a message, by location: JSON Pointers with `*` for each item of a list or each member of an object. In all locations of a
 * check, `*` refers to the same item. Missing and incomparable values are left to the schema.
 */
export interface Forms {
  equal?: Record<string, string>;
  differs?: Record<string, string>;
  /** Numbers, or instants in the form of RFC 3339. */
  atMost?: Record<string, string>;
  oneOf?: Record<string, ValueChoice>;
  noneOf?: Record<string, ValueChoice>;
  /** Regular expressions of ECMA-262 with the flag `u`. */
  matches?: Record<string, string>;
  present?: string[];
  absent?: string[];
  /** Members of one object; exactly one is present. */
  one?: string[];
}

/** A check without code. */
export interface CheckEntry extends Forms {
  /** Lists of values that must be distinct, each given by the location of its values. */
  unique?: string[];
  /** Conditions under which the check applies. */
  when?: Forms;
  /** The location at which the breach is reported; absent: the checked location. */
  at?: string;
  /** Completes the sentence that begins with the location; `{{value}}` is the value there, `{{other}}` the value that it is compared with. */
  why?: string;
  /** The level of a breach, if it is not that of the rule. */
  level?: Level;
}

/** A repeated text, and its ending. */
export interface Repetition {
  text: string;
  times: number;
  then?: string;
}

/** A change in short form, by JSON Pointers. `add` inserts an item before the item at its location; `patch` is a JSON Patch (RFC 6902). */
export interface ChangeEntry {
  set?: JsonObject;
  /** Long texts that repeat a text, by location. */
  repeat?: Record<string, Repetition>;
  remove?: string | string[];
  /** Locations to copy to, each with the location to copy from. */
  copy?: Record<string, string>;
  add?: JsonObject;
  patch?: Change[];
  /** Pointers to the messages that are signed again after the change, correctly or with a named mistake of the signer. */
  seal?: string | string[] | Record<string, string>;
}

/** A case as written in a rule file. */
export interface CaseEntry extends ChangeEntry {
  says: string;
  at?: string;
  edge?: true;
  needs?: Capability[];
  level?: Level;
  /** For a valid case, the name of a fixture; for any other case, the name of a valid case. Absent: the first valid case of the document. */
  from?: string;
  /** For a valid case: steps that the pack's code turns into its first message. */
  walk?: string;
  /** For a valid case: the whole message. */
  data?: Json;
  text?: string;
  base64?: string;
  /** The case is the JSON text of the message (or the message itself, if it is a string) after each of these parts is replaced by its value. */
  spelt?: Record<string, string>;
  /** One of the rule's documents; absent: the first. */
  document?: string;
  involves?: string[];
  readings?: Reading[];
}

/** A scenario as written in a rule file: steps, or a function in a code file. */
export interface ScenarioPart extends Dependence {
  says: string;
  side?: string;
  needs?: string[];
  withinMs?: number;
  steps?: StepEntry[];
  play?: string;
  /** For a function: the other rules that it judges. */
  rules?: string[];
}

/** Cases by name, in order. */
export interface CaseSet {
  /** The place that valid cases exercise if they name no other place. */
  about?: string;
  /** The common needs of all its cases, besides the needs of each. */
  needs?: Capability[];
  valid?: Record<string, CaseEntry>;
  invalid?: Record<string, CaseEntry>;
  disputed?: Record<string, CaseEntry>;
  permits?: true;
  yaml?: true;
}

/** A rule as written in a rule file, under its id. */
export interface RulePart extends Omit<RuleEntry, "id" | "statement" | "check" | "sites">, CaseSet {
  /** Absent only in a rule that overrides another. */
  statement?: string;
  /** The rule changes a rule of the parent, and keeps the members that it omits. */
  overrides?: true;
  /** For an override: names of the parent's cases that do not apply. The parent's other cases are kept beside its own. */
  lacks?: string[];
  /** Schema locations, or JSON Pointers by the name of the schema's file or its `$id`. */
  sites?: string[] | Record<string, string[]>;
  /** How the rule is decided; if absent, this follows from its check, sites or scenarios. */
  decided?: Check;
  /** One document or several; absent: all. The cases belong to the first one. */
  document?: string | string[];
  /** Checks without code, or `FILE#EXPORT`, relative to the pack's code. All checks of a list apply. */
  check?: CheckEntry | string | (CheckEntry | string)[];
  /** What enforces the rule besides its checker. */
  enforcedBy?: Enforcer;
  /** Whether the rule is about the seal of a message, in all documents or in these. */
  seals?: true | string[];
  /** Cases by document, for a rule about several. */
  cases?: Record<string, CaseSet>;
  scenarios?: Record<string, ScenarioPart>;
}

/** A family of rules as written in a rule file. */
export interface RuleFamilyFile {
  $schema?: string;
  /** Its position among the families: the lowest first, families without a number last, and otherwise by name. */
  order?: number;
  /** The former form of the rules' `seals`, still read for one version. */
  seals?: true;
  rules: Record<string, RulePart>;
}

/** Named messages that cases change. */
export type FixtureFile = Record<string, Json>;
