import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { PublishedOrder } from "../contracts/rule-family.ts";
import { mustBe } from "../faults.ts";
import { shownPath } from "../files.ts";
import type { Source } from "../loaded-schemas.ts";
import { closest } from "../nearest-name.ts";
import type { Profile } from "../profile.ts";
import type { CodeSource, Protocol } from "../protocol.ts";
import { readJson } from "../text.ts";
import { readWhole } from "../whole-file.ts";
import { builtRules, hasFamilies } from "./built.ts";
import type { ProfileFile } from "./file.ts";
import { originsIn } from "./origins.ts";
import { packFolder, profileFile } from "./path.ts";
import { completed, fault, filesOf, lineIn, mustLift, mustRule, type ReadProfile } from "./profile.ts";
import { mustRead } from "./readings.ts";
import type { FixtureFile } from "./rule-file.ts";
import { fixturesIn, type PlacedRule, placedRules, type RuleFile, ruleFamilies, rulePaths } from "./rule-files.ts";
import { packRules } from "./rules.ts";
import { fileOf, jsonBeneath, type PackSchemas, packSchemas } from "./schemas.ts";

interface CachedPack {
  stamp: string;
  protocol: Protocol;
}

const known = new Map<string, CachedPack>();
/** By the profile, which copies of a protocol share. */
const read = new WeakMap<
  Profile,
  { profile: ReadProfile; schemas: PackSchemas; origin: ReturnType<typeof originsIn> }
>();
/** The rules in files of each pack, by its folder, as they were read last: a copy of a protocol may have another profile. */
const inFiles = new Map<string, readonly PlacedRule[]>();

/** The same pack with the right to load its code. Returns the same object for the same pack: caches depend on it. */
export function withCode(protocol: Protocol, code: CodeSource): Protocol {
  const before = granted.get(protocol)?.[code];
  if (before !== undefined) return before;
  const made: Protocol = { ...protocol, code };
  granted.set(protocol, { ...granted.get(protocol), [code]: made });
  return made;
}

const granted = new WeakMap<Protocol, Partial<Record<CodeSource, Protocol>>>();

/**
 * The pack in a folder, as a protocol, without the right to load its code; `given` is the folder or the profile in it. It is read again when a file of it has changed. Throws a
 * usage error with file, line and remedy for a pack that is broken.
 */
export function readPack(given: string): Protocol {
  const folder = packFolder(given);
  const stamp = stampOf(folder);
  const before = known.get(folder);
  if (before?.stamp === stamp) return before.protocol;
  const protocol = fromFolder(folder);
  known.set(folder, { stamp, protocol });
  return protocol;
}

function fromFolder(folder: string): Protocol {
  const file = shownPath(join(folder, profileFile));
  const text = readJson(readWhole(join(folder, profileFile)), file);
  mustBe("profile", file, text);
  const profile: ReadProfile = { folder, file, text, profile: text.value as unknown as ProfileFile };
  refuseMissing(profile);
  const schemas = packSchemas(folder, filesOf(profile));
  const complete = completed(profile, schemas.ids);
  mustLift(profile, schemas.schemas);
  const families = ruleFamilies(folder);
  const byFile = new Map([...schemas.ids].map(([path, id]) => [basename(path), id]));
  const protocol: Protocol = {
    name: complete.protocol,
    version: complete.version,
    folder,
    profile: complete,
    rules: packRules(folder, families, schemas.schemas, byFile),
    schemas: schemas.schemas,
    foreign: true,
  };
  const ids = protocol.rules.map(({ id }) => id);
  mustRule(profile, ids);
  mustRead(profile, placedRules(families));
  read.set(complete, { profile, schemas, origin: originsIn(folder) });
  inFiles.set(folder, placedRules(families));
  return protocol;
}

function refuseMissing(read: ReadProfile): void {
  for (const [index, { file }] of read.profile.documents.entries()) {
    if (file === undefined || existsSync(join(read.folder, fileOf(file)))) continue;
    const there = jsonBeneath(read.folder)
      .map((path) => path.slice(read.folder.length + 1).replaceAll("\\", "/"))
      .filter((path) => !path.startsWith("vectors/"));
    throw fault(
      read,
      `/documents/${index}/file`,
      `there is no file "${fileOf(file)}"`,
      `${closest(fileOf(file), there)}name a schema in the pack`,
    );
  }
}

/** The position of a location in a pack's schemas, in its source file if known; undefined for other protocols, and for unknown locations. */
export function sourceIn(protocol: Protocol, location: string): Source | undefined {
  const { origin, schemas } = read.get(protocol.profile) ?? {};
  return origin?.(location) ?? schemas?.source(location);
}

/** The same of the first of some protocols that has the location. */
export function sourceAmong(protocols: readonly Protocol[], location: string): Source | undefined {
  return protocols.map((protocol) => sourceIn(protocol, location)).find((source) => source !== undefined);
}

/** The rules of a pack in files of families, each with its place. A built-in protocol has the rules that the build wrote, without lines. */
export function rulesInFiles({ folder, foreign }: Pick<Protocol, "folder" | "foreign">): readonly PlacedRule[] {
  return foreign === true ? (inFiles.get(folder) ?? []) : builtRules(folder).rules;
}

/** The same with their lines, of a protocol of ours as well; none in a package, which has no such files of ours. */
export function rulesWithLines(protocol: Pick<Protocol, "folder" | "foreign">): readonly PlacedRule[] {
  if (protocol.foreign === true) return rulesInFiles(protocol);
  return hasFamilies(protocol.folder) ? placedRules(ruleFamilies(protocol.folder)) : [];
}

/** The messages that cases of a protocol change; undefined without any. Throws a usage error with file and line. */
export function fixturesOf({
  folder,
  foreign,
}: Pick<Protocol, "folder" | "foreign">): RuleFile<FixtureFile> | undefined {
  return foreign === true ? fixturesIn(folder) : builtRules(folder).fixtures;
}

/** The order of publication of vectors of cases; undefined for a protocol without one, such as a user's. */
export function publishedOrder({ folder, foreign }: Pick<Protocol, "folder" | "foreign">): PublishedOrder | undefined {
  return foreign === true ? undefined : builtRules(folder).published;
}

/** The position of a document in its pack's profile, as `FILE:LINE`; undefined for other protocols. */
export function documentLine(protocol: Protocol, name: string): string | undefined {
  const { profile } = read.get(protocol.profile) ?? {};
  return (
    profile &&
    lineIn(
      profile,
      protocol.profile.documents.findIndex((document) => document.name === name),
    )
  );
}

/** Tells one state of a pack from another. */
function stampOf(folder: string): string {
  const beside = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return [...jsonBeneath(join(folder, "schemas")), ...beside.map((name) => join(folder, name)), ...rulePaths(folder)]
    .map((file) => {
      const { mtimeMs, size, ino } = statSync(file);
      return `${file} ${mtimeMs} ${size} ${ino}`;
    })
    .join("\n");
}
