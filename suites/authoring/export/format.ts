import type { Protocol } from "../../../schemas/index.ts";
import type { VectorSet } from "../../packs/corpus/index.ts";

/** A file to be written: its path in the folder, with `/` between the parts. */
export interface ExportedFile {
  path: string;
  text: string;
  /** The number of vectors in it. */
  vectors: number;
  /** Whether it only accompanies the vectors: an existing file at its place that no export has written is kept. */
  isBeside?: true;
}

/** The vectors of one protocol. */
export interface ExportSource {
  protocol: Protocol;
  set: VectorSet;
  /** The folder of the set. */
  folder: string;
}

/** A format of exported vectors. Siblings in this folder are named after their readers. */
export interface ExportFormat {
  name: string;
  /** The readers that it is meant for. */
  summary: string;
  /** The files of one protocol. */
  files(source: ExportSource): ExportedFile[];
  /** Files for all protocols together. */
  whole?(sources: readonly ExportSource[]): ExportedFile[];
  /** The files for readers in addition to the vectors: schemas, rules, pages, licences. Not in the folder of the set itself. */
  beside?(sources: readonly ExportSource[]): ExportedFile[];
}
