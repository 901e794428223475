import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesIn } from "../../../schemas/index.ts";
import type { ExportedFile } from "./format.ts";

/** The file with the digests of all files of an export, in the format of `sha256sum --check`. */
export const checksumsFile = "SHA256SUMS";

const hexDigestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export function checksumsOf(files: readonly ExportedFile[]): ExportedFile {
  const lines = files.map(({ path, text }) => `${hexDigestOf(text)}  ${path}\n`).sort();
  return { path: checksumsFile, text: lines.join(""), vectors: 0, isAccompanying: true };
}

/** The files of an older export with their digests, in the form of a manifest; empty if it has no checksums. */
export function readChecksums(folder: string): { path: string; digest: string }[] {
  if (!existsSync(join(folder, checksumsFile))) return [];
  const lines = filesIn(folder)(checksumsFile).toString("utf8").split("\n");
  return lines.flatMap((line) => {
    const [, sum, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum === undefined || path === undefined) return [];
    return [{ path, digest: `sha256-${Buffer.from(sum, "hex").toString("base64")}` }];
  });
}
