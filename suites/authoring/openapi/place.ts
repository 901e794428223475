import type { Text } from "../../../schemas/index.ts";

/** A file that was read, and the path that messages show. */
export interface SourceFile {
  path: string;
  file: string;
  text: Text;
}

/** A value in a file, by JSON Pointer. */
export interface SourcePlace {
  source: SourceFile;
  at: string;
}
