import type { Document, JsonObject, Misread, PartialLift, Text } from "../../../schemas/index.ts";
import type { Oddity } from "./oddities.ts";
import type { SourcePlace } from "./source.ts";

/** A document of a pack that is to be written, and its schema. */
export interface PackDocument {
  document: Pick<Document, "name" | "title"> & Partial<Document>;
  schema: JsonObject;
  text: Text;
}

/** The data of a pack that a description gives. */
export interface PackData {
  documents: PackDocument[];
  rules: JsonObject[];
  /** The lists in sent schemas that have null by one reading of `nullable` only. */
  nulls: PartialLift[];
  /** The place of the demand of each rule, by its id. */
  places: Map<string, SourcePlace>;
  notes: string[];
  /** Those of them about parts without effect at their place, which are left out. */
  misread: Misread[];
  oddities: Oddity[];
  /** Notes that matter only if something is sent. */
  calls: string[];
  operations: { chosen: number; all: number; noun?: string };
  /** Characters of all schemas. */
  size: number;
  /** Addresses with a path at which the described server is. */
  servers: string[];
}
