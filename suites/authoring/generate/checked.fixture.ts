import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, type Manifest } from "../../../schemas/index.ts";

/** Throws unless each file in the manifest of a pack exists and matches it. */
export function checkVectors(pack: string): void {
  const folder = join(pack, "vectors");
  const { files, count } = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
  for (const { path, digest } of files)
    if (digestOf(readFileSync(join(folder, path), "utf8")) !== digest) throw new Error(`${path} has another digest`);
  if (files.reduce((sum, file) => sum + file.count, 0) !== count) throw new Error("the count differs");
}
