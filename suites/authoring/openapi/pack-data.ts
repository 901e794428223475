import type { Document, JsonObject, Misread, PartialLift, Text } from "../../../schemas/index.ts";
import type { Oddity } from "./oddities.ts";
import type { SourcePlace } from "./source.ts";

/** A document of a pack to be written, and its schema. */
export interface PackDocument {
  document: Pick<Document, "name" | "title"> & Partial<Document>;
  schema: JsonObject;
  text: Text;
}

/** How many operations or messages a description has, and how many were chosen. */
export interface OperationCounts {
  chosen: number;
  all: number;
  /** The number of chosen operations that are left out for lack of time or space. */
  late?: number;
  noun?: string;
}

/** The data of a pack that is made from a description. */
export interface PackData {
  documents: PackDocument[];
  rules: JsonObject[];
  /** The lists in sent schemas that contain null only under one reading of `nullable`. */
  nulls: PartialLift[];
  /** For each rule id, the place of the requirement. */
  places: Map<string, SourcePlace>;
  notes: string[];
  /** The notes about parts that have no effect at their place and are left out. */
  misread: Misread[];
  oddities: Oddity[];
  /** Notes that matter only if something is sent. */
  calls: string[];
  operations: OperationCounts;
  /** The number of characters of all schemas. */
  size: number;
  /** The addresses with a path at which the described server can be reached. */
  servers: string[];
}
