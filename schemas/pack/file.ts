import type { Endpoint } from "../endpoint.ts";
import type { ExtendsFile } from "../extension.ts";
import type { Json } from "../json.ts";
import type { Document, Profile } from "../profile.ts";
import type { Rule } from "../rule.ts";

/** A document in a profile file: missing members are derived. Either `file` or `schema` is present. */
export interface DocumentFile extends Partial<Omit<Document, "endpoint">> {
  /** A plain path means POST. */
  endpoint?: string | Endpoint;
  /** Samples in addition to those of the parent pack. */
  moreSamples?: Json[];
}

/** A profile as written in a file: missing members have defaults. */
export interface ProfileFile extends Partial<Omit<Profile, "documents" | "http">> {
  /** The parent pack: this one inherits everything that it does not state itself. */
  extends?: ExtendsFile;
  /** Absent only in a pack that extends another. */
  documents: DocumentFile[];
  http?: Partial<Profile["http"]>;
}

/** A rule as written in a file: missing members are derived. */
export interface RuleEntry extends Partial<Omit<Rule, "id" | "statement">> {
  id: string;
  statement: string;
}

/** A list of rules as written in a file. */
export interface RulesFile {
  $schema?: string;
  protocol?: string;
  version?: string;
  rules: RuleEntry[];
}
