import type { Options } from "ajv/dist/2020.js";
import type { Enforcer, JsonObject, Profile, SchemaJudge } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";

/** A reference implementation with one known difference, which shows whether a suite detects it. */
export interface Variant {
  name: string;
  description: string;
  /** Whether it treats this subschema differently. Without this function, it differs for every protocol. */
  affects?(schema: JsonObject): boolean;
  /** Whether it conforms despite its difference. By default it does not. */
  conforms?(profile: Profile): boolean;
  /** Answers without reading the body. */
  fixedAnswer?: "accept" | "reject";
  options?: Options;
  /** Changes one subschema before it is compiled; the other parts must keep their places. */
  rewrite?(schema: JsonObject): JsonObject;
  /** The only semantic rule that it does not know. */
  withoutRule?: string;
  /** Knows no semantic rule. */
  schemaOnly?: true;
  /** Reads texts leniently: accepts repeated names, byte order marks, lone surrogates and invalid UTF-8. */
  lenientText?: true;
  /** Returns the text to read in place of a JSON text; undefined if it refuses the text. */
  respellText?(text: string): string | undefined;
  /** The enforcer that it lacks; it does not know the semantic rules that depend on this enforcer. */
  missingEnforcer?: Enforcer;
  /** Wraps the judge of the schemas. */
  wrapJudge?(judge: SchemaJudge, locations: Locations): SchemaJudge;
}
