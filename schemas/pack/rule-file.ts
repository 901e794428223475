import type { Enforcer } from "../contracts/rule-family.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Check, Level } from "../rule.ts";
import type { Dependence } from "../value-conditions.ts";
import type { Capability, Change, Reading } from "../vector.ts";
import type { RuleEntry } from "./file.ts";
import type { StepEntry } from "./scenario.ts";

/** Values that a member may have: a list, all that is at a place, or a list for each value of another member. */
export type ValueChoice = Json[] | string | { by: string; values: Record<string, Json[]> };

/**
 * Conditions on a message, by location: JSON Pointers with `*` for each item of a list or each member of an object, the same one in all
 * locations of a check. Missing values, and values that cannot be compared, are the schema's matter.
 */
export interface Forms {
  equal?: Record<string, string>;
  differs?: Record<string, string>;
  /** Numbers, or instants as RFC 3339 writes them. */
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
  /** Lists of distinct values, each given by the location of its values. */
  unique?: string[];
  /** It is judged only if all of this is so. */
  when?: Forms;
  /** The place at which the breach is reported; absent: the judged place. */
  at?: string;
  /** Completes the sentence that begins with the place; `{{value}}` is the value there, `{{other}}` the value that it is held against. */
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

/** A change in short: each member by its JSON Pointer. `add` puts an item before the one at its place; `patch` is a JSON Patch (RFC 6902). */
export interface ChangeEntry {
  set?: JsonObject;
  /** Texts that repeat one, each at its place. */
  repeat?: Record<string, Repetition>;
  remove?: string | string[];
  /** To a place, from another one. */
  copy?: Record<string, string>;
  add?: JsonObject;
  patch?: Change[];
  /** Pointers of the messages that are signed again after the change, rightly or with a mistake that the signer knows by name. */
  seal?: string | string[] | Record<string, string>;
}

/** A case as a file has it. */
export interface CaseEntry extends ChangeEntry {
  says: string;
  at?: string;
  edge?: true;
  needs?: Capability[];
  level?: Level;
  /** Of a valid case: the name of a fixture. Of another: the name of a valid case. Absent: the first valid case of the document. */
  from?: string;
  /** Of a valid case: steps that the pack's code turns into its first message. */
  walk?: string;
  /** The whole message, of a valid case. */
  data?: Json;
  text?: string;
  base64?: string;
  /** The case is the JSON text of the message, or a message that is a text itself, with each of these parts replaced by the other. */
  spelt?: Record<string, string>;
  /** One of the rule's documents; absent: the first. */
  document?: string;
  involves?: string[];
  readings?: Reading[];
}

/** A scenario as a file of rules has it: steps, or a function in a file of code. */
export interface ScenarioPart extends Dependence {
  says: string;
  side?: string;
  needs?: string[];
  withinMs?: number;
  steps?: StepEntry[];
  play?: string;
  /** Of a function: the other rules that it judges. */
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

/** A rule as a file of rules has it: by its id. */
export interface RulePart extends Omit<RuleEntry, "id" | "statement" | "check" | "sites">, CaseSet {
  /** Absent only in a rule that overrides another. */
  statement?: string;
  /** It changes a rule of the parent: omitted members stay. */
  overrides?: true;
  /** For an override: names of the parent's cases that do not apply. The others are kept, with its own cases. */
  lacks?: string[];
  /** Schema locations, or JSON Pointers by the name of the schema's file or its `$id`. */
  sites?: string[] | Record<string, string[]>;
  /** How it is decided; absent: by its check, its sites or its scenarios. */
  decided?: Check;
  /** One document or several; its cases are of the first; absent: all. */
  document?: string | string[];
  /** Checks without code, or `FILE#EXPORT`, relative to the pack's code; all of several are made. */
  check?: CheckEntry | string | (CheckEntry | string)[];
  /** The further enforcer of the rule. */
  enforcedBy?: Enforcer;
  /** It is about how a message is sealed, in all documents or in these. */
  seals?: true | string[];
  /** Cases by document, for a rule about several. */
  cases?: Record<string, CaseSet>;
  scenarios?: Record<string, ScenarioPart>;
}

/** A family of rules as a file has it. */
export interface RuleFamilyFile {
  $schema?: string;
  /** Its place among the families: the lowest first, those without a number last, and otherwise by name. */
  order?: number;
  /** The older place of `seals` of its rules, read for a version. */
  seals?: true;
  rules: Record<string, RulePart>;
}

/** Named messages that cases change. */
export type FixtureFile = Record<string, Json>;
