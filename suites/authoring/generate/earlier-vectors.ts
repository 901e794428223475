import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonical, digestOf, fileDigest, type Json, type Manifest, version } from "../../../schemas/index.ts";
import { writePlainly } from "../../base/process/file-writer.ts";
import { settleVectors } from "./replaced-vectors.ts";
import { isolatedIn, type RoundResult } from "./rounds.ts";

/** The hidden file of a pack that records how its vectors were made. */
const recordFile = ".generation.json";

/** Digests of everything that determines the vectors of a pack. */
interface Inputs {
  /** The digest of the pack's other files. */
  sources: string;
  /** The digest of these files, the options and the version of the program. */
  all: string;
}

/** How the vectors of a pack were made. */
interface GenerationRecord {
  inputs: Inputs;
  /** The documents with complete vectors. */
  finished: string[];
  /** The documents that still have the vectors of an earlier command with other options. */
  older: string[];
}

/** The vectors of earlier commands with the same sources. */
interface EarlierVectors {
  /** The vectors made with the same options. */
  before: Map<string, RoundResult>;
  /** The documents with complete vectors. */
  finished: Set<string>;
  /** The vectors to keep until there are as many new ones. */
  floor: Map<string, RoundResult>;
}

/** The vectors of a pack at one moment. */
interface ShownVectors {
  parts: Map<string, RoundResult>;
  /** The documents with vectors of an earlier command with other options. */
  older: string[];
}

/** Digests the inputs of a pack with these options. */
export function inputsOf(pack: string, options: Readonly<Record<string, Json>>): Inputs {
  const files = readdirSync(pack, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // The vectors, dependencies, hidden files and the page are not inputs.
    .filter((path) => !/^[/\\]?(?:vectors|node_modules|\.|README\.md$)/.test(path.slice(pack.length)))
    .sort()
    .map((path): Json => [path.slice(pack.length), fileDigest(path)]);
  const sources = digestOf(canonical(files));
  return { sources, all: digestOf(canonical([version, options, sources])) };
}

/** Reads the vectors of a pack that earlier commands made from the same sources. Vectors of other sources may be wrong, and are not returned. */
export function readEarlier(pack: string, folder: string, inputs: Inputs): EarlierVectors {
  const noVectors: EarlierVectors = { before: new Map(), finished: new Set(), floor: new Map() };
  try {
    settleVectors(folder);
    const record = JSON.parse(readFileSync(join(pack, recordFile), "utf8")) as GenerationRecord;
    if (record.inputs.sources !== inputs.sources) return noVectors;
    const floor = readParts(folder);
    if (record.inputs.all !== inputs.all) return { ...noVectors, floor };
    const before = new Map([...floor].filter(([name]) => !record.older.includes(name)));
    return { before, finished: new Set(record.finished.filter((name) => before.has(name))), floor };
  } catch {
    // The record is missing or incomplete: everything is made again.
    return noVectors;
  }
}

/** The unchanged vectors in a folder, by document. */
function readParts(folder: string): Map<string, RoundResult> {
  const manifest = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
  const parts = new Map<string, RoundResult>();
  for (const document of manifest.documents) {
    const files = manifest.files.filter((file) => file.document === document.document);
    const texts = new Map(files.map(({ path }) => [path, readFileSync(join(folder, path), "utf8")]));
    const isWhole = files.every(({ path, digest }) => digestOf(texts.get(path) as string) === digest);
    const count = files.reduce((sum, file) => sum + file.count, 0);
    if (isWhole)
      parts.set(document.document, { texts, manifest: { ...manifest, count, files, documents: [document] } });
  }
  return parts;
}

/** Keeps the earlier vectors of an unfinished document while its new vectors are fewer, or isolate fewer assertions. */
export function chooseVectors(
  parts: ReadonlyMap<string, RoundResult>,
  finished: ReadonlySet<string>,
  { before, floor }: EarlierVectors,
): ShownVectors {
  const chosenParts = new Map(parts);
  const older: string[] = [];
  for (const [name, earlierPart] of floor) {
    const newPart = parts.get(name);
    if (finished.has(name) || (newPart !== undefined && isAtLeastAsGood(newPart, earlierPart))) continue;
    chosenParts.set(name, earlierPart);
    if (!before.has(name)) older.push(name);
  }
  return { parts: chosenParts, older };
}

function isAtLeastAsGood(part: RoundResult, earlierPart: RoundResult): boolean {
  return part.manifest.count >= earlierPart.manifest.count && isolatedIn(part) >= isolatedIn(earlierPart);
}

/** Records how the vectors of a pack were made, for the next command. */
export function recordGeneration(
  pack: string,
  { inputs, finished, older }: { inputs: Inputs; finished: ReadonlySet<string>; older: readonly string[] },
): void {
  const record: GenerationRecord = { inputs, finished: [...finished].sort(), older: [...older].sort() };
  writePlainly(join(pack, recordFile), `${JSON.stringify(record)}\n`);
}
