import type { Protocol } from "../../../schemas/index.ts";
import type { VectorSet } from "../../packs/corpus/index.ts";

/** A file to be written: its path in the folder, with `/` between the parts. */
export interface ExportedFile {
  path: string;
  text: string;
  /** How many vectors are in it. */
  vectors: number;
  /** It accompanies the vectors: a file at its place that no export has put there is kept. */
  isBeside?: true;
}

/** The vectors of one protocol. */
export interface ExportSource {
  protocol: Protocol;
  set: VectorSet;
  /** The place of the set. */
  folder: string;
}

/** One way to write the vectors of protocols down for others to read. Siblings in this folder are named after their readers. */
export interface ExportFormat {
  name: string;
  /** The readers that it is for. */
  summary: string;
  /** The files of one protocol. */
  files(source: ExportSource): ExportedFile[];
  /** Files beside those of all protocols. */
  whole?(sources: readonly ExportSource[]): ExportedFile[];
  /** The files for readers beside the vectors: schemas, rules, pages, licences. Not in the folder of the set itself. */
  beside?(sources: readonly ExportSource[]): ExportedFile[];
}
