import type { Protocol } from "../../../schemas/index.ts";
import type { VectorSet } from "../../packs/corpus/index.ts";

/** A file to be written: its path in the folder, with `/` between the parts. */
export interface ExportedFile {
  path: string;
  text: string;
  /** The number of vectors in it. */
  vectors: number;
  /** Whether it only accompanies the vectors. Such a file does not replace an existing file that no export has written. */
  isAccompanying?: true;
}

/** The vectors of one protocol. */
export interface ExportSource {
  protocol: Protocol;
  set: VectorSet;
  /** The folder of the set. */
  folder: string;
}

/** A format of exported vectors. The file of each format is named after its readers. */
export interface ExportFormat {
  name: string;
  /** The readers that it is meant for. */
  summary: string;
  /** The files of one protocol. */
  files(source: ExportSource): ExportedFile[];
  /** Files for all protocols together. */
  sharedFiles?(sources: readonly ExportSource[]): ExportedFile[];
  /** The files for readers in addition to the vectors: schemas, rules, pages, licences. They are not stored in the folder of the set. */
  accompanyingFiles?(sources: readonly ExportSource[]): ExportedFile[];
}
