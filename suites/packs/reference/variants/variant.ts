import type { Options } from "ajv/dist/2020.js";
import type { Enforcer, JsonObject, Profile, SchemaJudge } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";

/** A reference that departs from the conforming one in one named way, so that a suite can be shown to notice. */
export interface Variant {
  name: string;
  description: string;
  /** Whether anything in this subschema is treated differently. Absent: it differs for every protocol. */
  touches?(schema: JsonObject): boolean;
  /** Whether it conforms all the same. Absent: it does not. */
  conforms?(profile: Profile): boolean;
  /** Answers without looking at the body. */
  always?: "accept" | "reject";
  options?: Options;
  /** Changes one subschema before it is compiled; the other parts must keep their places. */
  rewrite?(schema: JsonObject): JsonObject;
  /** Does not know this semantic rule, and all others. */
  withoutRule?: string;
  /** Knows no semantic rule. */
  schemaOnly?: true;
  /** Reads texts leniently: a repeated name, a byte order mark, half a surrogate pair and bytes that are not UTF-8 are accepted. */
  lenientText?: true;
  /** The text that it reads instead of a JSON text; undefined: it refuses the text. */
  read?(text: string): string | undefined;
  /** The enforcer of some semantic rules that it lacks: it knows none of these rules. */
  lacks?: Enforcer;
  /** Judges around the judge. */
  around?(judge: SchemaJudge, locations: Locations): SchemaJudge;
}
