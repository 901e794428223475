import type { Json } from "../../schemas/index.ts";
import type { Keyword, Location } from "../model/model.ts";

/** An assertion that refuses a part of a message. */
export interface AssertionCause {
  site: Location;
  /** Absent for the schema `false`. */
  keyword?: Keyword;
  /** For `required`, the member. */
  name?: string;
  /** The schema with the assertion. */
  node: Location;
  /** JSON Pointer to the part. */
  at: string;
  value: Json;
}
