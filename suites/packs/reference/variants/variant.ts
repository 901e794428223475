import type { Options } from "ajv/dist/2020.js";
import type { Enforcer, JsonObject, Profile, SchemaJudge } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";

/** A reference that differs from the conforming one in one named way, so that a suite can be shown to notice. */
export interface Variant {
  name: string;
  description: string;
  /** Whether it treats anything in this subschema differently. By default it differs for every protocol. */
  touches?(schema: JsonObject): boolean;
  /** Whether it conforms nevertheless. By default it does not. */
  conforms?(profile: Profile): boolean;
  /** Answers without reading the body. */
  always?: "accept" | "reject";
  options?: Options;
  /** Changes one subschema before it is compiled; the other parts must keep their places. */
  rewrite?(schema: JsonObject): JsonObject;
  /** The semantic rule that it does not know; it knows all others. */
  withoutRule?: string;
  /** Knows no semantic rule. */
  schemaOnly?: true;
  /** Reads texts leniently: a repeated name, a byte order mark, half a surrogate pair and bytes that are not UTF-8 are accepted. */
  lenientText?: true;
  /** Returns the text to read in place of a JSON text; undefined if it refuses the text. */
  read?(text: string): string | undefined;
  /** An enforcer that it lacks: it does not know the semantic rules that depend on it. */
  lacks?: Enforcer;
  /** Wraps the judge. */
  around?(judge: SchemaJudge, locations: Locations): SchemaJudge;
}
