import type { Text } from "../../../schemas/index.ts";

/** A file that was read. */
export interface SourceFile {
  /** The real path. */
  path: string;
  /** The path that messages show. */
  file: string;
  text: Text;
}

/** A value in a file, by JSON Pointer. */
export interface SourcePlace {
  source: SourceFile;
  at: string;
}
