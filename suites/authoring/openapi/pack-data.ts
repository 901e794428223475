import type { Document, JsonObject, Misread, Text } from "../../../schemas/index.ts";
import type { Oddity } from "./oddities.ts";
import type { SourcePlace } from "./source.ts";

/** A document of a pack that is to be written, and its schema. */
export interface PackDocument {
  document: Pick<Document, "name" | "title"> & Partial<Document>;
  schema: JsonObject;
  text: Text;
}

/** What a description gives for a pack. */
export interface PackData {
  documents: PackDocument[];
  rules: JsonObject[];
  /** Where what a rule demands stands, by its id. */
  places: Map<string, SourcePlace>;
  notes: string[];
  /** Those of them about what says nothing where it stands, and is left out. */
  misread: Misread[];
  oddities: Oddity[];
  /** What matters to those who send something: where nothing is sent. */
  calls: string[];
  operations: { chosen: number; all: number; noun?: string };
  /** Characters of all schemas. */
  size: number;
  /** Addresses with a path at which the described server is. */
  servers: string[];
}
