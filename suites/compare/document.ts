import type { Json, JsonObject, Source } from "../../schemas/index.ts";

/** One document of a version, as it can be compared. */
export interface LoadedDocument {
  schemas: readonly JsonObject[];
  id: string;
  samples: readonly Json[];
  /** What in its schemas was not read as it stands. */
  notes: readonly string[];
  /** Where a location in its schemas stands, where that is known. */
  source(location: string): Source | undefined;
}

/** A document of a version, loaded when it is its turn. */
export interface VersionDocument {
  name: string;
  load(): Promise<LoadedDocument>;
  /** Names of the parameters in the path, where it is a document of these: they are not sent, and compared by their place. */
  pathNames?: readonly string[];
  /** Whether it is worth a word only where both versions have it and differ. */
  isAside?: boolean;
}
