import { existsSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { readWhole } from "./whole-file.ts";

/** The maximum size of an unpacked archive in bytes: ten times our largest. */
const maxBytes = 2 ** 28;

/** The largest window, since similar passages of a protocol's files can be far apart. */
const windowOption = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };

/** Packs similar files into one archive: a line that lists paths and sizes in bytes, then the files, all compressed. */
export function packArchive(files: readonly [path: string, bytes: Buffer][]): Buffer {
  const list = JSON.stringify(files.map(([path, { length }]) => [path, length]));
  const archiveBytes = Buffer.concat([Buffer.from(`${list}\n`), ...files.map(([, bytes]) => bytes)]);
  return brotliCompressSync(archiveBytes, { params: { ...windowOption, [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

/** Reads one file of a folder. If the file is missing, throws the error of `readFileSync`. */
export type FileReader = (path: string) => Buffer;

/**
 * Returns a reader for the files of a vector set: from the folder or, in the package, from `PROTOCOL/VERSION.br`, which is unpacked once. The
 * reader keeps the unpacked data in memory, so drop it after use.
 */
export function filesIn(folder: string): FileReader {
  const filesByArchive = new Map<string, Map<string, Buffer>>();
  return (path) => {
    const plainPath = join(folder, path);
    const archivePath = join(folder, archiveOf(path));
    if (existsSync(plainPath) || !existsSync(archivePath)) return readWhole(plainPath);
    const files = filesByArchive.get(archivePath) ?? unpackArchive(readWhole(archivePath));
    filesByArchive.set(archivePath, files);
    return files.get(path) ?? readWhole(plainPath);
  };
}

/** The archive that contains a file, by its path in the set: each protocol version has one archive. */
export function archiveOf(path: string): string {
  return `${path.split("/").slice(0, 2).join("/")}.br`;
}

function unpackArchive(archive: Buffer): Map<string, Buffer> {
  const unpackedBytes = brotliDecompressSync(archive, { maxOutputLength: maxBytes });
  let index = unpackedBytes.indexOf("\n") + 1;
  const list = JSON.parse(unpackedBytes.toString("utf8", 0, index)) as [path: string, size: number][];
  return new Map(
    list.map(([path, size]) => {
      index += size;
      return [path, unpackedBytes.subarray(index - size, index)];
    }),
  );
}
