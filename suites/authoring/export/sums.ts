import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesIn } from "../../../schemas/index.ts";
import type { ExportedFile } from "./format.ts";

/** Digests of all files of an export, in the format of `sha256sum --check`. */
export const sumsFile = "SHA256SUMS";

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export function sumsOf(files: readonly ExportedFile[]): ExportedFile {
  const lines = files.map(({ path, text }) => `${sumOf(text)}  ${path}\n`).sort();
  return { path: sumsFile, text: lines.join(""), vectors: 0, isBeside: true };
}

/** The files of an older export with their digests, in the form of a manifest; empty if it has no checksums. */
export function sumsIn(folder: string): { path: string; digest: string }[] {
  if (!existsSync(join(folder, sumsFile))) return [];
  const lines = filesIn(folder)(sumsFile).toString("utf8").split("\n");
  return lines.flatMap((line) => {
    const [, sum, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum === undefined || path === undefined) return [];
    return [{ path, digest: `sha256-${Buffer.from(sum, "hex").toString("base64")}` }];
  });
}
