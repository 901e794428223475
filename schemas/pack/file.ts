import type { Endpoint } from "../endpoint.ts";
import type { ExtendsFile } from "../extension.ts";
import type { Json } from "../json.ts";
import type { Document, Profile } from "../profile.ts";
import type { Rule } from "../rule.ts";

/** A document of a profile as a file may have it: missing members are derived. Either `file` or `schema` is there. */
export interface DocumentFile extends Partial<Omit<Document, "endpoint">> {
  /** A plain path means POST. */
  endpoint?: string | Endpoint;
  /** Samples beside those of the pack that this one extends. */
  moreSamples?: Json[];
}

/** A profile as a file may have it. */
export interface ProfileFile extends Partial<Omit<Profile, "documents" | "http">> {
  /** The parent pack: this one inherits everything that it does not state itself. */
  extends?: ExtendsFile;
  /** Absent only in a pack that extends another. */
  documents: DocumentFile[];
  http?: Partial<Profile["http"]>;
}

/** A rule as a file may have it. */
export interface RuleEntry extends Partial<Omit<Rule, "id" | "statement">> {
  id: string;
  statement: string;
}

/** A list of rules as a file may have it. */
export interface RulesFile {
  $schema?: string;
  protocol?: string;
  version?: string;
  rules: RuleEntry[];
}
