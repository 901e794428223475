import { createHash } from "node:crypto";
import { isAtLeast, type Manifest, manifestDigest, movedBy, type SetStep, stepFor } from "../../schemas/index.ts";

/** The versions that the published set has had, and all ids of the present MAJOR: none of these goes without an alias. */
export interface Versions {
  /** The oldest first; the last is that of the set. */
  versions: { version: string; digest: string }[];
  /** By `PROTOCOL/VERSION/DOCUMENT`: the first three bytes of the SHA-256 of each id, ascending, base64. */
  ids: Record<string, string>;
}

/** The parts of a set on which its version depends. */
export interface SetState {
  manifest: Manifest;
  ids: readonly string[];
  /** Former ids, each with the present one. */
  aliases: Readonly<Record<string, string>>;
}

export interface VersionChange {
  versions: Versions;
  /** The step of the version. */
  step: SetStep;
  /** The number of ids of the present MAJOR, by document, that no vector has and no alias names. */
  gone: Map<string, number>;
  /** The new ids. */
  added: string[];
}

const bytesOfEach = 3;

/** The versions with that of a changed set; `least` is the minimum step of the version if anything differs. */
export function nextVersion(
  before: Versions,
  { manifest, ids, aliases }: SetState,
  least: SetStep = "PATCH",
): VersionChange {
  const last = before.versions.at(-1) ?? { version: "0.0.0", digest: "" };
  const gone = idsGoneFrom(before, ids, aliases);
  const recordedHashes = hashesOf(before);
  const added = ids.filter((id) => recordedHashes.get(bucketOf(id))?.has(hashOf(id)) !== true);
  const hasChanged = digestAs(manifest, last.version) !== last.digest;
  const necessaryStep = stepFor({ gone: gone.size, added: added.length, isOther: hasChanged });
  const step = necessaryStep === "none" || isAtLeast(necessaryStep, least) ? necessaryStep : least;
  if (step === "none") return { versions: before, step, gone, added };
  const version = movedBy(last.version, step);
  const keptHashes = step === "MAJOR" ? [] : recordedHashes;
  return {
    step,
    gone,
    added,
    versions: {
      versions: [...before.versions, { version, digest: digestAs(manifest, version) }],
      ids: encodeIds(keptHashes, ids),
    },
  };
}

/** The faults of the record of versions compared with a set, and with the record `earlier`, if there is one. */
export function versionComplaints(
  record: Versions,
  { manifest, ids, aliases }: SetState,
  earlier?: Versions,
): string[] {
  const last = record.versions.at(-1);
  const recordedHashes = hashesOf(record);
  const gone = idsGoneFrom(record, ids, aliases);
  const unknown = ids.filter((id) => recordedHashes.get(bucketOf(id))?.has(hashOf(id)) !== true);
  const rewrittenVersion = earlier?.versions.find(
    ({ version, digest }, index) =>
      record.versions[index]?.version !== version || record.versions[index]?.digest !== digest,
  );
  const isMajor = majorOf(earlier?.versions.at(-1)?.version) < majorOf(last?.version);
  const lostIds = earlier === undefined || isMajor ? new Map<string, number>() : idsGoneFrom(earlier, ids, aliases);
  const missing = new Map([...gone, ...lostIds]);
  return [
    ...(last?.version === manifest.version && last.digest === manifest.digest
      ? []
      : [
          `the set is ${manifest.version} with ${manifest.digest}, and its last version ${last?.version} has ${last?.digest}: run npm run vectors, which moves the version`,
        ]),
    ...[...missing].map(
      ([document, count]) =>
        `${count} of the ids of ${document} are gone without an alias: name their present vectors in renamed.json, or move the version by a MAJOR`,
    ),
    ...unknown.slice(0, 1).map((id) => `${unknown.length} ids are not recorded, such as ${id}: run npm run vectors`),
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

/** The ids of a record that no vector has and no alias leads to, counted by document. */
function idsGoneFrom(record: Versions, ids: readonly string[], aliases: SetState["aliases"]): Map<string, number> {
  const present = new Set(ids);
  const former = Object.entries(aliases).flatMap(([id, presentId]) => (present.has(presentId) ? [id] : []));
  const hashesNow = hashesByBucket([...ids, ...former]);
  const gone = new Map<string, number>();
  for (const [bucket, hashes] of hashesOf(record)) {
    const count = [...hashes].filter((hash) => hashesNow.get(bucket)?.has(hash) !== true).length;
    if (count > 0) gone.set(bucket, count);
  }
  return gone;
}

function hashesOf({ ids }: Versions): Map<string, Set<number>> {
  return new Map(
    Object.entries(ids).map(([bucket, text]) => {
      const bytes = Buffer.from(text, "base64");
      const count = bytes.length / bytesOfEach;
      return [
        bucket,
        new Set(Array.from({ length: count }, (_, index) => bytes.readUIntBE(index * bytesOfEach, bytesOfEach))),
      ];
    }),
  );
}

function encodeIds(
  recordedHashes: Iterable<readonly [string, ReadonlySet<number>]>,
  ids: readonly string[],
): Versions["ids"] {
  const all = hashesByBucket(ids);
  for (const [bucket, hashes] of recordedHashes) all.set(bucket, new Set([...(all.get(bucket) ?? []), ...hashes]));
  return Object.fromEntries(
    [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([bucket, hashes]) => [bucket, encodeHashes(hashes)]),
  );
}

function encodeHashes(hashes: ReadonlySet<number>): string {
  const bytes = Buffer.alloc(hashes.size * bytesOfEach);
  for (const [index, hash] of [...hashes].sort((one, other) => one - other).entries())
    bytes.writeUIntBE(hash, index * bytesOfEach, bytesOfEach);
  return bytes.toString("base64");
}

function hashesByBucket(ids: readonly string[]): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const id of ids) {
    const bucket = bucketOf(id);
    const hashes = found.get(bucket) ?? new Set();
    hashes.add(hashOf(id));
    found.set(bucket, hashes);
  }
  return found;
}

function bucketOf(id: string): string {
  return id.split("/", 3).join("/");
}

/** Two of a document's some hundred ids rarely have the same hash: a missing id goes unnoticed once in 30,000 times. */
function hashOf(id: string): number {
  return createHash("sha256").update(id).digest().readUIntBE(0, bytesOfEach);
}
