import { createHash } from "node:crypto";
import { isAtLeast, type Manifest, manifestDigest, movedBy, type SetStep, stepFor } from "../../schemas/index.ts";

/** All versions of the published set, and all ids of the current MAJOR. An id may disappear only if an alias replaces it. */
export interface Versions {
  /** The oldest version first. The last one is the version of the set. */
  versions: { version: string; digest: string }[];
  /** By `PROTOCOL/VERSION/DOCUMENT`: the first three bytes of the SHA-256 of each id, ascending, base64. */
  ids: Record<string, string>;
}

/** The parts of a set on which its version depends. */
export interface SetState {
  manifest: Manifest;
  ids: readonly string[];
  /** The current id of each former id. */
  aliases: Readonly<Record<string, string>>;
}

export interface VersionChange {
  versions: Versions;
  /** The step of the version. */
  step: SetStep;
  /** The number of missing ids of the current MAJOR, by document: neither a vector nor an alias has them. */
  missingCounts: Map<string, number>;
  /** The new ids. */
  added: string[];
}

/** The bytes of each stored hash. */
const hashBytes = 3;

/** Adds the version of a changed set to the record. `least` is the minimum step if anything differs. */
export function nextVersion(
  before: Versions,
  { manifest, ids, aliases }: SetState,
  least: SetStep = "PATCH",
): VersionChange {
  const lastVersion = before.versions.at(-1) ?? { version: "0.0.0", digest: "" };
  const missingCounts = countMissingIds(before, ids, aliases);
  const recordedHashes = hashesOf(before);
  const added = ids.filter((id) => recordedHashes.get(bucketOf(id))?.has(hashOf(id)) !== true);
  const hasChanged = digestAs(manifest, lastVersion.version) !== lastVersion.digest;
  const necessaryStep = stepFor({ gone: missingCounts.size, added: added.length, isOther: hasChanged });
  const step = necessaryStep === "none" || isAtLeast(necessaryStep, least) ? necessaryStep : least;
  if (step === "none") return { versions: before, step, missingCounts, added };
  const version = movedBy(lastVersion.version, step);
  const keptHashes = step === "MAJOR" ? [] : recordedHashes;
  return {
    step,
    missingCounts,
    added,
    versions: {
      versions: [...before.versions, { version, digest: digestAs(manifest, version) }],
      ids: encodeIds(keptHashes, ids),
    },
  };
}

/** Compares the version record with a set, and with the record `earlier` if there is one. Returns the faults. */
export function versionComplaints(
  record: Versions,
  { manifest, ids, aliases }: SetState,
  earlier?: Versions,
): string[] {
  const lastVersion = record.versions.at(-1);
  const recordedHashes = hashesOf(record);
  const missingFromRecord = countMissingIds(record, ids, aliases);
  const unrecordedIds = ids.filter((id) => recordedHashes.get(bucketOf(id))?.has(hashOf(id)) !== true);
  const rewrittenVersion = earlier?.versions.find(
    ({ version, digest }, index) =>
      record.versions[index]?.version !== version || record.versions[index]?.digest !== digest,
  );
  const isMajor = majorOf(earlier?.versions.at(-1)?.version) < majorOf(lastVersion?.version);
  const missingFromEarlier =
    earlier === undefined || isMajor ? new Map<string, number>() : countMissingIds(earlier, ids, aliases);
  const missingCounts = new Map([...missingFromRecord, ...missingFromEarlier]);
  return [
    ...(lastVersion?.version === manifest.version && lastVersion.digest === manifest.digest
      ? []
      : [
          `the set is ${manifest.version} with ${manifest.digest}, and its last version ${lastVersion?.version} has ${lastVersion?.digest}: run npm run vectors, which moves the version`,
        ]),
    ...[...missingCounts].map(
      ([document, count]) =>
        `${count} of the ids of ${document} are gone without an alias: name their present vectors in renamed.json, or move the version by a MAJOR`,
    ),
    ...unrecordedIds
      .slice(0, 1)
      .map((id) => `${unrecordedIds.length} ids are not recorded, such as ${id}: run npm run vectors`),
    ...(rewrittenVersion === undefined
      ? []
      : [
          `version ${rewrittenVersion.version} was ${rewrittenVersion.digest}: a published version never changes, and every change needs a new version`,
        ]),
  ];
}

function digestAs(manifest: Manifest, version: string): string {
  return manifestDigest({ ...manifest, version });
}

function majorOf(version = "0"): number {
  return Number(version.split(".")[0]);
}

/** Counts the missing ids of a record by document: neither a vector nor an alias has them. */
function countMissingIds(record: Versions, ids: readonly string[], aliases: SetState["aliases"]): Map<string, number> {
  const currentIds = new Set(ids);
  const formerIds = Object.entries(aliases).flatMap(([id, currentId]) => (currentIds.has(currentId) ? [id] : []));
  const currentHashes = hashesByBucket([...ids, ...formerIds]);
  const missingCounts = new Map<string, number>();
  for (const [bucket, hashes] of hashesOf(record)) {
    const count = [...hashes].filter((hash) => currentHashes.get(bucket)?.has(hash) !== true).length;
    if (count > 0) missingCounts.set(bucket, count);
  }
  return missingCounts;
}

function hashesOf({ ids }: Versions): Map<string, Set<number>> {
  return new Map(
    Object.entries(ids).map(([bucket, text]) => {
      const bytes = Buffer.from(text, "base64");
      const count = bytes.length / hashBytes;
      return [
        bucket,
        new Set(Array.from({ length: count }, (_, index) => bytes.readUIntBE(index * hashBytes, hashBytes))),
      ];
    }),
  );
}

function encodeIds(
  recordedHashes: Iterable<readonly [string, ReadonlySet<number>]>,
  ids: readonly string[],
): Versions["ids"] {
  const hashesOfBuckets = hashesByBucket(ids);
  for (const [bucket, hashes] of recordedHashes)
    hashesOfBuckets.set(bucket, new Set([...(hashesOfBuckets.get(bucket) ?? []), ...hashes]));
  return Object.fromEntries(
    [...hashesOfBuckets]
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([bucket, hashes]) => [bucket, encodeHashes(hashes)]),
  );
}

function encodeHashes(hashes: ReadonlySet<number>): string {
  const bytes = Buffer.alloc(hashes.size * hashBytes);
  for (const [index, hash] of [...hashes].sort((first, second) => first - second).entries())
    bytes.writeUIntBE(hash, index * hashBytes, hashBytes);
  return bytes.toString("base64");
}

function hashesByBucket(ids: readonly string[]): Map<string, Set<number>> {
  const buckets = new Map<string, Set<number>>();
  for (const id of ids) {
    const bucket = bucketOf(id);
    const hashes = buckets.get(bucket) ?? new Set();
    hashes.add(hashOf(id));
    buckets.set(bucket, hashes);
  }
  return buckets;
}

function bucketOf(id: string): string {
  return id.split("/", 3).join("/");
}

/** The hash of an id. Hashes of a document's few hundred ids rarely collide: a missing id goes unnoticed once in 30,000 times. */
function hashOf(id: string): number {
  return createHash("sha256").update(id).digest().readUIntBE(0, hashBytes);
}
