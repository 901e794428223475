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

interface File {
  path: string;
  tests: Vector[];
}

/** Writes two small vector sets of a protocol: the second adds vectors to the first, and lacks others. */
export function writeSets(protocol: Protocol, folder: string): { old: string; next: string } {
  const document = protocol.profile.documents.find(({ role }) => role === "entry") as Document;
  const prefix = `${protocol.name}/${protocol.version}/${document.name}/`;
  const files = loadVectors(protocol)
    .files.filter((file) => file.document === document.name)
    .map(({ tests }, index): File => ({ path: `${prefix}${index}.json`, tests: [...tests] }));
  const ranks = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const { id, rule = "" } of files
    .flatMap(({ tests }) => tests)
    .sort((a, b) => (hash(a.id) < hash(b.id) ? -1 : 1))) {
    const rank = seen.get(rule) ?? 0;
    seen.set(rule, rank + 1);
    ranks.set(id, rank);
  }
  const all = files.flatMap(({ tests }) => tests).sort((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0));
  // Two vectors detect each bug; the next set lacks the second of them.
  for (const bug of bugs)
    for (const [rank, { id }] of all
      .filter((vector) => isMetBy(vector, bug))
      .slice(0, 2)
      .entries())
      ranks.set(id, rank);
  const rankOf = ({ id }: Vector): number => ranks.get(id) ?? 0;
  const write = (name: string, isIn: (rank: number) => boolean): string => {
    const chosen = files.map(({ path, tests }) => ({ path, tests: tests.filter((test) => isIn(rankOf(test))) }));
    return writeSet(join(folder, name), protocol, document.name, chosen);
  };
  return {
    old: write("old", (rank) => rank < vectorsPerRule),
    next: write("next", (rank) => rank < vectorsPerRule + 4 && rank !== 1),
  };
}

/** Whether a hub with this bug answers the vector wrongly. */
function isMetBy({ data, valid }: Vector, { forgives, refuses }: Bug): boolean {
  if (!isObject(data)) return false;
  if (valid === true) return refuses?.(data) === true;
  const repaired = structuredClone(data);
  forgives?.(repaired);
  return valid === false && JSON.stringify(repaired) !== JSON.stringify(data);
}

function writeSet(folder: string, { name, version }: Protocol, document: string, files: readonly File[]): string {
  const listed = files.map(({ path, tests }): Manifest["files"][number] => {
    const about = { description: "", protocol: name, version, document, count: tests.length };
    const text = JSON.stringify({ ...about, tests });
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
    count: listed.reduce((all, { count }) => all + count, 0),
    files: listed,
    documents: [],
  });
  writeFileSync(join(folder, "MANIFEST.json"), JSON.stringify(manifest));
  return folder;
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
