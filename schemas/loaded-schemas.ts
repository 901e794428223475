import type { JsonObject } from "./json.ts";
import type { StandIns } from "./number-stand-ins.ts";
import type { TextPlace } from "./text-place.ts";

/** A place in a file. */
export interface Source extends TextPlace {
  file: string;
  /** JSON Pointer in the file, if different from the pointer in the schema: for a schema embedded in another one, or in a description. */
  pointer?: string;
}

/** A schema with everything that it refers to, checked. */
export interface LoadedSchemas {
  /** `$id` of the entry schema. */
  entry: string;
  /** The entry first, then the given schemas, then those found by references; each with an absolute `$id` (`id` in draft-04). */
  schemas: JsonObject[];
  /** The position of a schema (`ID`) or a location (`ID#/json/pointer`). Undefined for an unknown id. */
  source(location: string): Source | undefined;
  /** Notes on parts that were not read literally; they begin with file and line if the schema is read leniently. */
  notes: string[];
  /** The notes about parts without an effect, which are left out. */
  misread: Misread[];
}

/** A part of a schema without an effect, probably a mistake. */
export interface Misread extends Source {
  /** The note on it. */
  note: string;
  /** A JSON Pointer as a fragment. */
  at: string;
  why: string;
}

export interface LoadOptions {
  schema: string;
  /** Files, and folders with schemas, all of which are used. */
  refs?: readonly string[];
  /** Folders for the targets of references, in addition to the folder of the schema. */
  within?: readonly string[];
  /** Paths of schemas by their own addresses, loaded when a reference leads there. */
  named?: ReadonlyMap<string, string>;
  /** Rewrites draft-04 as draft-07, with the same meaning, for validators that no longer support it. */
  upgrade?: boolean;
  /**
   * Keywords that the dialect does not allow are read by their only possible meaning; meaningless ones are left out; a reference without a
   * literal target is resolved from the root of its document. Each gets a note.
   */
  lenient?: boolean;
  /** Doubles that replace numbers outside the range or precision of doubles, for schemas that are compared with each other. */
  standIns?: StandIns;
  /** By default at most 10,000 files of 10 MiB each. */
  limits?: { files?: number; bytes?: number };
}
