import { existsSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { readWhole } from "./whole-file.ts";

/** The maximum bytes of an unpacked archive, ten times our largest. */
const maxBytes = 2 ** 28;

/** The largest window, since similar passages of a protocol's files can be far apart. */
const window = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };

/** Packs similar files into one archive: a line that lists paths and sizes in bytes, then the files, all compressed. */
export function packArchive(files: readonly [path: string, bytes: Buffer][]): Buffer {
  const list = JSON.stringify(files.map(([path, { length }]) => [path, length]));
  const archiveBytes = Buffer.concat([Buffer.from(`${list}\n`), ...files.map(([, bytes]) => bytes)]);
  return brotliCompressSync(archiveBytes, { params: { ...window, [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

/** Reads one file of a folder. Throws as `readFileSync` does if the file is missing. */
export type FileReader = (path: string) => Buffer;

/**
 * Reads the files of a vector set: from the folder, or in the package from `PROTOCOL/VERSION.br`, which is unpacked once. Keep the reader
 * only while the files are read: it holds the unpacked data.
 */
export function filesIn(folder: string): FileReader {
  const unpacked = new Map<string, Map<string, Buffer>>();
  return (path) => {
    const plainPath = join(folder, path);
    const packed = join(folder, archiveOf(path));
    if (existsSync(plainPath) || !existsSync(packed)) return readWhole(plainPath);
    const files = unpacked.get(packed) ?? unpackArchive(readWhole(packed));
    unpacked.set(packed, files);
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
