import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Document,
  digestOf,
  isObject,
  type Manifest,
  type Protocol,
  sealManifest,
  type Vector,
} from "../../schemas/index.ts";
import { loadVectors } from "../../suites/index.ts";
import { type Bug, bugs } from "./bugs.ts";

/** The number of vectors of each rule in a set: enough to detect every bug. */
const vectorsPerRule = 8;

interface SetFile {
  path: string;
  tests: Vector[];
}

/** Writes two small vector sets of a protocol. The second adds vectors to the first, and omits others. */
export function writeSets(protocol: Protocol, folder: string): { old: string; next: string } {
  const document = protocol.profile.documents.find(({ role }) => role === "entry") as Document;
  const prefix = `${protocol.name}/${protocol.version}/${document.name}/`;
  const files = loadVectors(protocol)
    .files.filter((file) => file.document === document.name)
    .map(({ tests }, index): SetFile => ({ path: `${prefix}${index}.json`, tests: [...tests] }));
  const ranks = new Map<string, number>();
  const countByRule = new Map<string, number>();
  for (const { id, rule = "" } of files
    .flatMap(({ tests }) => tests)
    .sort((a, b) => (hash(a.id) < hash(b.id) ? -1 : 1))) {
    const rank = countByRule.get(rule) ?? 0;
    countByRule.set(rule, rank + 1);
    ranks.set(id, rank);
  }
  const rankedVectors = files
    .flatMap(({ tests }) => tests)
    .sort((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0));
  // Two vectors detect each bug. The next set omits the second of them.
  for (const bug of bugs)
    for (const [rank, { id }] of rankedVectors
      .filter((vector) => detects(vector, bug))
      .slice(0, 2)
      .entries())
      ranks.set(id, rank);
  const rankOf = ({ id }: Vector): number => ranks.get(id) ?? 0;
  const writeVersion = (name: string, includes: (rank: number) => boolean): string => {
    const chosenFiles = files.map(({ path, tests }) => ({
      path,
      tests: tests.filter((test) => includes(rankOf(test))),
    }));
    return writeSet(join(folder, name), protocol, document.name, chosenFiles);
  };
  return {
    old: writeVersion("old", (rank) => rank < vectorsPerRule),
    next: writeVersion("next", (rank) => rank < vectorsPerRule + 4 && rank !== 1),
  };
}

/** Whether the vector detects the bug: a hub with it answers the vector incorrectly. */
function detects({ data, valid }: Vector, { forgives, refuses }: Bug): boolean {
  if (!isObject(data)) return false;
  if (valid === true) return refuses?.(data) === true;
  const repaired = structuredClone(data);
  forgives?.(repaired);
  return valid === false && JSON.stringify(repaired) !== JSON.stringify(data);
}

function writeSet(folder: string, { name, version }: Protocol, document: string, files: readonly SetFile[]): string {
  const manifestFiles = files.map(({ path, tests }): Manifest["files"][number] => {
    const header = { description: "", protocol: name, version, document, count: tests.length };
    const text = JSON.stringify({ ...header, tests });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return { path, protocol: name, version, document, kind: "valid", count: tests.length, digest: digestOf(text) };
  });
  const manifest = sealManifest({
    $schema: "",
    name: "of a gate",
    version: "1.0.0",
    generator: { name: "hand", version: "1", seed: 0 },
    digest: "",
    count: manifestFiles.reduce((sum, { count }) => sum + count, 0),
    files: manifestFiles,
    documents: [],
  });
  writeFileSync(join(folder, "MANIFEST.json"), JSON.stringify(manifest));
  return folder;
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
