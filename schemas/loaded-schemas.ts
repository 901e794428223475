import type { JsonObject } from "./json.ts";
import type { StandIns } from "./number-stand-ins.ts";
import type { TextPlace } from "./text-place.ts";

/** A place in a file. */
export interface Source extends TextPlace {
  file: string;
  /** JSON Pointer in the file, where it is not that in the schema: of a schema that is embedded in another one, or of a description. */
  pointer?: string;
}

/** A schema with everything that it refers to, checked. */
export interface LoadedSchemas {
  /** `$id` of the entry schema. */
  entry: string;
  /** The entry first, then what was given, then what references led to; each with an absolute `$id` (`id` in draft-04). */
  schemas: JsonObject[];
  /** Where a schema (`ID`) or a location (`ID#/json/pointer`) stands. Undefined for an id that is not there. */
  source(location: string): Source | undefined;
  /** What was not read as it stands: beginning with file and line where the schema is read leniently. */
  notes: string[];
  /** Those of them about what says nothing where it stands, and is left out. */
  misread: Misread[];
}

/** What says nothing where it stands, and is probably a mistake. */
export interface Misread extends Source {
  /** What is noted of it. */
  note: string;
  /** A JSON Pointer as a fragment. */
  at: string;
  why: string;
}

export interface LoadOptions {
  schema: string;
  /** Files, and folders of which every schema beneath is taken. */
  refs?: readonly string[];
  /** Folders in which files may lie that references lead to, beside the folder of the schema. */
  within?: readonly string[];
  /** Paths of schemas that are read where a reference leads to the address that they call themselves. */
  named?: ReadonlyMap<string, string>;
  /** Draft-04 is written as draft-07, with the same meaning, for validators that no longer read it. */
  upgrade?: boolean;
  /**
   * What its dialect does not allow, and means only one thing, is read as meant; what can mean nothing is left out; a reference that leads
   * nowhere by the letter is taken as meant from the root of its document. Each is noted.
   */
  lenient?: boolean;
  /** Doubles in place of numbers beyond doubles, for schemas that are compared with each other. */
  standIns?: StandIns;
  /** At most 10,000 files of 10 MiB unless said otherwise. */
  limits?: { files?: number; bytes?: number };
}
