import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import type { BuiltSet } from "../generators/index.ts";
import {
  digestOf,
  formerIds,
  formerIdsFile,
  home,
  type Json,
  ownSchemas,
  protocolsNamed,
  type SetStep,
} from "../schemas/index.ts";
import { staleFiles } from "./rules/stale-files.ts";
import { readTree, type Tree } from "./tree.ts";
import { readCached, writeCached } from "./vectors/cache.ts";
import { digestOfInputs } from "./vectors/inputs.ts";
import type { VectorPart, VectorTask } from "./vectors/part.ts";
import { idsIn, readRecord, recordAt, recordFile, renamedIn, writeRecord } from "./vectors/record.ts";
import { commitIn, sampleOf, treeAt } from "./vectors/sample.ts";
import { nextVersion, type Versions, versionComplaints } from "./vectors/versions.ts";
import { parseProtocols } from "./vectors/words.ts";
import { buildParts } from "./vectors/workers.ts";

const folder = join(home, "vectors");
const protocols = protocolsNamed("all");
/** The protocols to regenerate; empty for all of them. */
const namedProtocols = parseProtocols(
  process.argv.slice(2),
  protocols.map(({ name }) => name),
);
const startedAt = process.hrtime.bigint();
const seconds = () => `${(Number((process.hrtime.bigint() - startedAt) / 1_000_000n) / 1000).toFixed(1)} s`;

/** The current id of each former vector id. */
const formerIdTable = formerIds();
const [aliases, aliasText] = formerIdsFile(formerIdTable);
const minorStep: SetStep = process.argv.includes("--minor") ? "MINOR" : "PATCH";
/** The minimum step of the version if anything differs: `--minor` for new members, `--major` if ids may disappear. */
const leastStep: SetStep = process.argv.includes("--major") ? "MAJOR" : minorStep;
const manifestFile = "MANIFEST.json";
const isCheck = process.argv.includes("--check");
/** Whether earlier results are ignored. A check trusts none of them. */
const isFresh = isCheck || process.argv.includes("--anew");
/** Whether to check only a sample of the documents of each protocol that no change affects. */
const isSample = process.argv.includes("--sample");
/** Whether to continue a stopped check of the same sources. */
const isResumed = process.argv.includes("--resume");
for (const { file } of staleFiles()) {
  console.error(`✗ ${relative(home, file)} differs from its rules: run "npm run rules"`);
  process.exit(1);
}
const parts = new Map<string, VectorPart>();
const staleParts: { task: VectorTask; digest: string }[] = [];
const tree = readTree(home);
const checkCacheFolder = isCheck ? join(home, "node_modules/.cache/touchstone/checked") : undefined;
const { before, seed } = isSample ? readBase() : { before: undefined, seed: "" };
for (const { name, profile } of protocols.filter(
  (protocol) => namedProtocols.length === 0 || namedProtocols.includes(protocol.name),
)) {
  const digest = digestOfInputs(tree, name, process.versions);
  const isTouched = before === undefined || digestOfInputs(before, name, process.versions) !== digest;
  const documentNames = profile.documents.map((document) => document.name);
  const chosenNames = isTouched ? documentNames : sampleOf(documentNames, `${seed} ${name}`);
  if (isSample)
    console.log(
      `${name}: ${chosenNames.length} of ${documentNames.length} documents, ${isTouched ? "since an input of their vectors changed" : `chosen by ${seed}`}`,
    );
  for (const document of chosenNames) {
    const task: VectorTask = { protocol: name, document, laws: isCheck };
    const part = isFresh && !isResumed ? undefined : readCached(task, digest, checkCacheFolder);
    if (part === undefined) staleParts.push({ task, digest });
    else parts.set(keyOf(task), part);
  }
}
// The largest first, so that no single core still works on it at the end.
const sizes = vectorCounts();
staleParts.sort((first, second) => (sizes.get(keyOf(second.task)) ?? 0) - (sizes.get(keyOf(first.task)) ?? 0));
const digests = new Map(staleParts.map(({ task, digest }) => [task, digest]));
// Loads the generators while other processes work.
const [{ joined, oracleFor }] = await Promise.all([
  import("../generators/index.ts"),
  buildParts([...digests.keys()], Math.min(availableParallelism(), 8), (task, part) => {
    parts.set(keyOf(task), part);
    writeCached(task, digests.get(task) as string, part, checkCacheFolder);
  }),
]);
const builtSets = protocols.flatMap(
  ({ name, profile }) => builtDocuments(name, profile.documents) ?? [readBuilt(name)],
);
const writtenVersion = isCheck ? asVersion(readRecord()) : write();
if (isCheck) process.exitCode = (await check()) ? 0 : 1;
console.log(
  `${writtenVersion.manifest.count} vectors in ${writtenVersion.manifest.files.length} files, ${writtenVersion.manifest.digest}, ${seconds()}`,
);

/** Joins the built sets with the last version of a record. */
function asVersion({ versions }: Versions): BuiltSet {
  const set = joined(builtSets, { version: versions.at(-1)?.version ?? "0.0.0", aliases });
  set.texts.set(aliases.path, aliasText);
  return set;
}

/** Writes the set with its next version, and returns it. Exits with 1 if it needs a new MAJOR but `--major` is missing. */
function write(): BuiltSet {
  // Uncommitted vectors do not have a version yet.
  const before = recordAt("HEAD") ?? readRecord();
  const { manifest, texts } = asVersion(before);
  const { versions, step, missingCounts } = nextVersion(
    before,
    { manifest, ids: idsIn(texts), aliases: formerIdTable },
    leastStep,
  );
  if (step === "MAJOR" && leastStep !== "MAJOR") {
    for (const [document, count] of missingCounts)
      console.error(`✗ ${count} of the ids of ${document} would go without an alias`);
    for (const [id, presentId] of renamedIn(readVectorTexts(), texts))
      console.error(`  ${JSON.stringify(id)}: ${JSON.stringify(presentId)},`);
    console.error(
      "Nothing was written. Put former ids into renamed.json of the protocol (those above have the same message), or run it with --major.",
    );
    process.exit(1);
  }
  const set = asVersion(versions);
  for (const { name } of protocols) rmSync(join(folder, name), { recursive: true, force: true });
  for (const [path, text] of set.texts) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeRecord(versions);
  const lastVersionOf = (record: Versions): string => record.versions.at(-1)?.version ?? "none";
  console.log(
    step === "none"
      ? `still version ${lastVersionOf(versions)}`
      : `${lastVersionOf(before)} becomes ${lastVersionOf(versions)}, a ${step}`,
  );
  return set;
}

/** The existing vector files, by path. */
function readVectorTexts(): Map<string, string> {
  return new Map(readManifest().files.map(({ path }) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** The files before the change, and the commit that seeds the sample. Without git, everything is checked. */
function readBase(): { before: Tree | undefined; seed: string } {
  const since = process.env.TOUCHSTONE_SINCE ?? "HEAD~1";
  try {
    return { before: treeAt(since, tree, home), seed: commitIn(home) };
  } catch (error) {
    console.log(`all documents, since the changes are unknown: ${(error as Error).message}`);
    return { before: undefined, seed: "" };
  }
}

/** Checks that the files equal the output of the generator and fit their format, and that every vector obeys the laws. */
async function check(): Promise<boolean> {
  const state = { manifest: writtenVersion.manifest, ids: idsIn(writtenVersion.texts), aliases: formerIdTable };
  const versions = versionComplaints(readRecord(), state, recordAt(process.env.TOUCHSTONE_SINCE ?? "HEAD~1"));
  const complaints = [
    ...findDifferences(),
    ...(await checkFormat()),
    ...versions.map((version) => `${recordFile}: ${version}`),
  ];
  for (const { complaints: partComplaints } of parts.values()) complaints.push(...partComplaints);
  for (const complaint of complaints.slice(0, 50)) console.error(`✗ ${complaint}`);
  if (complaints.length > 50) console.error(`… and ${complaints.length - 50} more`);
  console.error(
    complaints.length === 0
      ? "The set equals the output of the generator, and every vector obeys the laws."
      : `${complaints.length} complaints.`,
  );
  return complaints.length === 0;
}

function* findDifferences(): Generator<string> {
  for (const { path, digest } of readManifest().files) {
    const file = join(folder, path);
    if (existsSync(file) && digestOf(readFileSync(file, "utf8")) !== digest)
      yield `${path} differs from its digest in MANIFEST.json: run npm run vectors`;
  }
  for (const [path, text] of writtenVersion.texts) {
    const file = join(folder, path);
    if (!existsSync(file)) yield `${path} is missing: run npm run vectors`;
    else if (readFileSync(file, "utf8") !== text)
      yield `${path} differs from the output of the generator: run npm run vectors, and note the change in CHANGELOG.md`;
  }
  for (const path of filesBelow(folder)) {
    if (/^[^/]+\/[^/]+\/.*\.json$/.test(path) && !path.startsWith("cases/") && !writtenVersion.texts.has(path))
      yield `${path} is not an output of the generator: delete it`;
  }
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function checkFormat(): Promise<string[]> {
  const ownSchemasByName = ownSchemas();
  const schemas = Object.values(ownSchemasByName);
  const judges = await Promise.all(
    (["vector-file", "manifest"] as const).map(async (name) => oracleFor(schemas, String(ownSchemasByName[name]?.$id))),
  );
  return [...writtenVersion.texts].flatMap(([path, text]) => {
    if (path === aliases.path) return [];
    const judge = judges[path === manifestFile ? 1 : 0];
    return judge?.judge(JSON.parse(text) as Json).verdict === "valid" ? [] : [`${path} does not have its format`];
  });
}

/** The built sets of a protocol's documents, in order; undefined if the protocol was not requested. */
function builtDocuments(protocol: string, documents: readonly { name: string }[]): BuiltSet[] | undefined {
  const documentParts = documents.map(({ name }) => parts.get(keyOf({ protocol, document: name })));
  if (documentParts.every((part) => part === undefined)) return undefined;
  return documentParts.map((part, index) =>
    part === undefined ? readBuilt(protocol, documents[index]?.name) : builtOf(part),
  );
}

function keyOf({ protocol, document }: Pick<VectorTask, "protocol" | "document">): string {
  return `${protocol} ${document}`;
}

/** The number of vectors of each document, which estimates the time to make them. */
function vectorCounts(): Map<string, number> {
  const sizes = new Map<string, number>();
  if (!existsSync(join(folder, manifestFile))) return sizes;
  for (const file of readManifest().files) sizes.set(keyOf(file), (sizes.get(keyOf(file)) ?? 0) + file.count);
  return sizes;
}

function readManifest(): BuiltSet["manifest"] {
  return JSON.parse(readFileSync(join(folder, manifestFile), "utf8")) as BuiltSet["manifest"];
}

/** The files of a protocol, or of one of its documents. */
function readBuilt(name: string, document?: string): BuiltSet {
  const manifest = readManifest();
  const isSelected = (entry: { protocol: string; document: string }): boolean =>
    entry.protocol === name && (document === undefined || entry.document === document);
  const files = manifest.files.filter(isSelected);
  const documents = manifest.documents.filter(isSelected);
  const texts = files.map(({ path }) => [path, readFileSync(join(folder, path), "utf8")] as const);
  return { texts: new Map(texts), manifest: { ...manifest, files, documents } };
}

function builtOf({ texts }: VectorPart): BuiltSet {
  const textByPath = new Map(texts);
  return { texts: textByPath, manifest: JSON.parse(textByPath.get(manifestFile) ?? "") as BuiltSet["manifest"] };
}
