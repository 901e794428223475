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

export interface MovedIds {
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
export function movedTo(before: Versions, { manifest, ids, aliases }: SetState, least: SetStep = "PATCH"): MovedIds {
  const last = before.versions.at(-1) ?? { version: "0.0.0", digest: "" };
  const gone = goneFrom(before, ids, aliases);
  const known = hashesOf(before);
  const added = ids.filter((id) => known.get(bucketOf(id))?.has(hashOf(id)) !== true);
  const isOther = digestAs(manifest, last.version) !== last.digest;
  const needed = stepFor({ gone: gone.size, added: added.length, isOther });
  const step = needed === "none" || isAtLeast(needed, least) ? needed : least;
  if (step === "none") return { versions: before, step, gone, added };
  const version = movedBy(last.version, step);
  const kept = step === "MAJOR" ? [] : known;
  return {
    step,
    gone,
    added,
    versions: {
      versions: [...before.versions, { version, digest: digestAs(manifest, version) }],
      ids: writeVersion(kept, ids),
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
  const known = hashesOf(record);
  const gone = goneFrom(record, ids, aliases);
  const unknown = ids.filter((id) => known.get(bucketOf(id))?.has(hashOf(id)) !== true);
  const rewritten = earlier?.versions.find(
    ({ version, digest }, index) =>
      record.versions[index]?.version !== version || record.versions[index]?.digest !== digest,
  );
  const isMajor = majorOf(earlier?.versions.at(-1)?.version) < majorOf(last?.version);
  const lost = earlier === undefined || isMajor ? new Map<string, number>() : goneFrom(earlier, ids, aliases);
  const missing = new Map([...gone, ...lost]);
  return [
    ...(last?.version === manifest.version && last.digest === manifest.digest
      ? []
      : [
          `the set is ${manifest.version} with ${manifest.digest}, and its last version ${last?.version} has ${last?.digest}: run npm run vectors, which moves the version`,
        ]),
    ...[...missing].map(
      ([document, count]) =>
        `${count} of the ids of ${document} are gone without an alias: name their vectors of today in renamed.json, or move the version by a MAJOR`,
    ),
    ...unknown.slice(0, 1).map((id) => `${unknown.length} ids are not recorded, such as ${id}: run npm run vectors`),
    ...(rewritten === undefined
      ? []
      : [
          `version ${rewritten.version} was ${rewritten.digest}: what was published stays, and a change has a version of its own`,
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
function goneFrom(record: Versions, ids: readonly string[], aliases: SetState["aliases"]): Map<string, number> {
  const there = new Set(ids);
  const former = Object.entries(aliases).flatMap(([id, today]) => (there.has(today) ? [id] : []));
  const now = byBucket([...ids, ...former]);
  const gone = new Map<string, number>();
  for (const [bucket, hashes] of hashesOf(record)) {
    const count = [...hashes].filter((hash) => now.get(bucket)?.has(hash) !== true).length;
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

function writeVersion(
  known: Iterable<readonly [string, ReadonlySet<number>]>,
  ids: readonly string[],
): Versions["ids"] {
  const all = byBucket(ids);
  for (const [bucket, hashes] of known) all.set(bucket, new Set([...(all.get(bucket) ?? []), ...hashes]));
  return Object.fromEntries(
    [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([bucket, hashes]) => [bucket, textOf(hashes)]),
  );
}

function textOf(hashes: ReadonlySet<number>): string {
  const bytes = Buffer.alloc(hashes.size * bytesOfEach);
  for (const [index, hash] of [...hashes].sort((one, other) => one - other).entries())
    bytes.writeUIntBE(hash, index * bytesOfEach, bytesOfEach);
  return bytes.toString("base64");
}

function byBucket(ids: readonly string[]): Map<string, Set<number>> {
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
