import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonical, digestOf, fileDigest, type Json, type Manifest, version } from "../../../schemas/index.ts";
import { writePlainly } from "../../base/process/file-writer.ts";
import { settleVectors } from "./replaced-vectors.ts";
import type { RoundResult } from "./rounds.ts";

/** The file in an unfinished pack with the digest of its sources and options, and the finished documents. */
const unfinishedFile = ".unfinished.json";

/** The results of a stopped command. */
interface EarlierVectors {
  before: Map<string, RoundResult>;
  finished: Set<string>;
}

/** A digest of everything that determines the vectors of a pack: its other files, and the options. */
export function inputsOf(pack: string, options: Readonly<Record<string, Json>>): string {
  const files = readdirSync(pack, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^[/\\]?(?:vectors|node_modules|\.|README\.md$)/.test(path.slice(pack.length)))
    .sort()
    .map((path): Json => [path.slice(pack.length), fileDigest(path)]);
  return digestOf(canonical([version, options, files]));
}

/** The vectors of an earlier, unfinished command with the same sources and options; otherwise nothing. */
export function resumeVectors(pack: string, folder: string, inputs: string): EarlierVectors {
  const nothing: EarlierVectors = { before: new Map(), finished: new Set() };
  try {
    settleVectors(folder);
    const storedState = JSON.parse(readFileSync(join(pack, unfinishedFile), "utf8")) as {
      inputs: string;
      finished: string[];
    };
    if (storedState.inputs !== inputs) return nothing;
    const manifest = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
    const before = new Map<string, RoundResult>();
    for (const document of manifest.documents) {
      const files = manifest.files.filter((file) => file.document === document.document);
      const texts = new Map(files.map(({ path }) => [path, readFileSync(join(folder, path), "utf8")]));
      const isWhole = files.every(({ path, digest }) => digestOf(texts.get(path) as string) === digest);
      if (isWhole) before.set(document.document, { texts, manifest: { ...manifest, files, documents: [document] } });
    }
    return { before, finished: new Set(storedState.finished.filter((name) => before.has(name))) };
  } catch {
    // The record is missing or cut off: everything is made again.
    return nothing;
  }
}

/** Records the finished documents; without an argument, that all are finished. */
export function noteFinished(pack: string, inputs: string, finished?: ReadonlySet<string>): void {
  const file = join(pack, unfinishedFile);
  if (finished === undefined) rmSync(file, { force: true });
  else writePlainly(file, `${JSON.stringify({ inputs, finished: [...finished].sort() })}\n`);
}
