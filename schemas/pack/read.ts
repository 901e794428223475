import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { PublishedOrder } from "../contracts/rule-family.ts";
import { mustBe } from "../faults.ts";
import { shownPath } from "../files.ts";
import type { JsonObject } from "../json.ts";
import type { Source } from "../loaded-schemas.ts";
import { nearestName } from "../nearest-name.ts";
import { builtInPacks, profileFile } from "../packs.ts";
import type { Profile } from "../profile.ts";
import type { CodeSource, Extension, Protocol } from "../protocol.ts";
import type { Rule } from "../rule.ts";
import { readJson } from "../text.ts";
import { readWhole } from "../whole-file.ts";
import { builtRules, hasFamilies } from "./built-files.ts";
import { builtInNamed } from "./built-in.ts";
import type { ProfileFile } from "./file.ts";
import {
  extensionIn,
  inheritedProfile,
  inheritedSchemas,
  namesOf,
  parentRules,
  refuseMissingSites,
} from "./inherit.ts";
import { originsIn } from "./origins.ts";
import { inheritedPlaced, mergeOverrides } from "./overriding.ts";
import { packFolder } from "./path.ts";
import {
  completeProfile,
  filesOf,
  lineIn,
  profileFault,
  type ReadProfile,
  refuseInvalidLifts,
  refuseUnknownRules,
} from "./profile.ts";
import { refuseUnknownReaders } from "./readings.ts";
import type { FixtureFile } from "./rule-file.ts";
import { fixturesIn, type PlacedRule, placedRules, type RuleFile, ruleFamilies, rulePaths } from "./rule-files.ts";
import { packRules } from "./rules.ts";
import { fileOf, type InheritedText, jsonBeneath, type PackSchemas, packSchemas } from "./schemas.ts";

interface CachedPack {
  stamp: string;
  protocol: Protocol;
}

const cachedPacks = new Map<string, CachedPack>();
/** The data read for each pack, by its profile, because copies of a protocol share the profile. */
const readByPack = new WeakMap<
  Profile,
  { profile: ReadProfile; schemas: PackSchemas; origin: ReturnType<typeof originsIn> }
>();
/** The rules in each pack's files as last read. The key is the folder, because a copy of a protocol may have a different profile. */
const fileRulesByFolder = new Map<string, readonly PlacedRule[]>();

/** Returns the pack with permission to load its code: the same object for the same pack, because caches depend on it. */
export function withCode(protocol: Protocol, code: CodeSource): Protocol {
  const granted = grantedProtocols.get(protocol)?.[code];
  if (granted !== undefined) return granted;
  const withPermission: Protocol = { ...protocol, code };
  grantedProtocols.set(protocol, { ...grantedProtocols.get(protocol), [code]: withPermission });
  return withPermission;
}

const grantedProtocols = new WeakMap<Protocol, Partial<Record<CodeSource, Protocol>>>();

/**
 * Reads the pack in a folder as a protocol, without permission to load its code. `givenPath` is the folder or the profile in it. The pack is
 * read again if one of its files has changed. Throws a usage error with file, line and remedy for a broken pack.
 */
export function readPack(givenPath: string): Protocol {
  const folder = packFolder(givenPath);
  const stamp = stampOf(folder);
  const cached = cachedPacks.get(folder);
  if (cached?.stamp === stamp) return cached.protocol;
  parents.delete(folder);
  const protocol = readFolder(folder);
  cachedPacks.set(folder, { stamp: stampOf(folder), protocol });
  return protocol;
}

function readFolder(folder: string): Protocol {
  const ownProfile = profileIn(folder);
  refuseMissing(ownProfile);
  const extensionEntry = extensionIn(ownProfile, (pack) => parentOf(ownProfile, pack), casesIn);
  const extension =
    extensionEntry === undefined ? undefined : { ...extensionEntry, played: playedIn(extensionEntry.parent) };
  const profile = { ...ownProfile, profile: inheritedProfile(ownProfile.profile, extension) };
  const schemas = packSchemas(folder, filesOf(ownProfile), extension && virtualSchemas(ownProfile, extension));
  const completedProfile = completeProfile(profile, schemas.ids);
  refuseInvalidLifts(profile, schemas.schemas);
  const parentFileRules = extension === undefined ? [] : allInFiles(extension.parent);
  const placedPackRules = mergeOverrides(extension, placedRules(ruleFamilies(folder)), parentFileRules);
  const idsByFile = new Map([...schemas.ids].map(([path, id]) => [basename(path), id]));
  // Rules may name the author's file, which `generate` copies to NAME.schema.json.
  for (const [name, id] of [...idsByFile]) {
    const plainName = name.replace(/\.schema\.json$/, ".json");
    if (!idsByFile.has(plainName)) idsByFile.set(plainName, id);
  }
  const ownRules = packRules(folder, placedPackRules, {
    schemas: schemas.schemas,
    aliases: idsByFile,
    publishes: Object.keys(completedProfile.http.publishes ?? {}),
  });
  const rules = extension === undefined ? ownRules : withInherited(extension, ownRules);
  refuseMissingSites(ownProfile, rules, schemas.schemas);
  const protocol: Protocol = {
    name: completedProfile.protocol,
    version: completedProfile.version,
    folder,
    profile: completedProfile,
    rules,
    schemas: schemas.schemas,
    foreign: true as const,
    ...(extension === undefined ? {} : { extends: extension }),
  };
  refuseUnknownRules(
    profile,
    rules.map(({ id }) => id),
  );
  fileRulesByFolder.set(folder, placedPackRules);
  refuseUnknownReaders(profile, allInFiles(protocol));
  readByPack.set(completedProfile, { profile, schemas, origin: originsIn(folder) });
  return protocol;
}

function profileIn(folder: string): ReadProfile {
  const file = shownPath(join(folder, profileFile));
  const text = readJson(readWhole(join(folder, profileFile)), file);
  mustBe("profile", file, text);
  return { folder, file, text, profile: text.value as unknown as ProfileFile };
}

/** The parent's rules in their order, with the pack's overrides, and then the pack's own rules. */
function withInherited(extension: Extension, ownRules: readonly Rule[]): Rule[] {
  const inherited = parentRules(extension);
  const ids = new Set(inherited.map(({ id }) => id));
  const ownRulesById = new Map(ownRules.map((rule) => [rule.id, rule]));
  return [...inherited.map((rule) => ownRulesById.get(rule.id) ?? rule), ...ownRules.filter(({ id }) => !ids.has(id))];
}

/** The cases in the files of a pack, with its fixtures. */
function casesIn(protocol: Protocol): unknown {
  return [allInFiles(protocol).map(({ family: _, ...rule }) => rule), fixturesOf(protocol)?.value];
}

/** The ids of rules with scenarios only in code. */
function playedIn(protocol: Protocol): string[] {
  return allInFiles(protocol)
    .filter(
      ({ scenarios }) => scenarios !== undefined && Object.values(scenarios).every(({ play }) => play !== undefined),
    )
    .map(({ id }) => id);
}

/** The folders of the packs that are being read: each pack extends the next. */
const foldersBeingRead: string[] = [];

/** Reads the parent that a profile names. Throws a usage error for a missing parent, and for packs that extend each other. */
function parentOf(ownProfile: ReadProfile, pack: string): Protocol {
  const at = "/extends/pack";
  const builtInParent = builtInNamed(pack);
  if (builtInParent !== undefined) return builtInParent;
  const folder = join(ownProfile.folder, pack);
  if (isAbsolute(pack) || !existsSync(join(folder, profileFile))) {
    const names = builtInPacks.map(({ name }) => name);
    throw profileFault(
      ownProfile,
      at,
      isAbsolute(pack) ? `"${pack}" is an absolute path` : `there is no pack "${pack}"`,
      `${nearestName(pack, names)}give the folder of a pack, relative to ${ownProfile.file}, or one of ${names.join(", ")}`,
    );
  }
  const chain = [...foldersBeingRead, ownProfile.folder];
  const cycleStart = chain.indexOf(folder);
  if (cycleStart !== -1) {
    const cycle = [...chain.slice(cycleStart), folder].map((folderInCycle) => basename(folderInCycle)).join(" → ");
    throw profileFault(
      ownProfile,
      at,
      `the packs extend each other: ${cycle}`,
      "let one of them define all of its parts itself",
    );
  }
  foldersBeingRead.push(ownProfile.folder);
  try {
    parents.set(ownProfile.folder, folder);
    return readPack(folder);
  } finally {
    foldersBeingRead.pop();
  }
}

/** The folder of each pack's parent, as last read. */
const parents = new Map<string, string>();

/** The parent's schemas as if they were in the pack, but with their positions in the parent's files. */
function virtualSchemas(
  { profile }: ReadProfile,
  extension: Extension,
): (ownSchemas: readonly JsonObject[]) => InheritedText[] {
  const toParent = namesOf(extension).back();
  const names = profile.documents.flatMap(({ name, file }) => (name === undefined || file === undefined ? [] : name));
  return (schemas) => {
    const ownIds = new Set(schemas.map(({ $id }) => String($id)));
    return inheritedSchemas(extension, ownIds, { names, schemas }).map(({ file, schema, parentId }) => ({
      file,
      schema,
      source: (at) => sourceIn(extension.parent, `${parentId}#${toParent.pointer(at)}`),
    }));
  };
}

function refuseMissing(read: ReadProfile): void {
  for (const [index, { file }] of read.profile.documents.entries()) {
    if (file === undefined || existsSync(join(read.folder, fileOf(file)))) continue;
    const schemaFiles = jsonBeneath(read.folder)
      .map((path) => path.slice(read.folder.length + 1).replaceAll("\\", "/"))
      .filter((path) => !path.startsWith("vectors/"));
    throw profileFault(
      read,
      `/documents/${index}/file`,
      `the file "${fileOf(file)}" does not exist`,
      `${nearestName(fileOf(file), schemaFiles)}name a schema in the pack`,
    );
  }
}

/** Finds the position of a schema location, in the pack's source file if known. Undefined for other protocols and unknown locations. */
export function sourceIn(protocol: Protocol, location: string): Source | undefined {
  const { origin, schemas } = readByPack.get(protocol.profile) ?? {};
  return origin?.(location) ?? schemas?.source(location);
}

/** The position of a location in the first of several protocols that has it. */
export function sourceAmong(protocols: readonly Protocol[], location: string): Source | undefined {
  return protocols.map((protocol) => sourceIn(protocol, location)).find((source) => source !== undefined);
}

/** The rules in the files of a pack and of the packs that it extends, all with the pack's names. */
export function allInFiles(protocol: Pick<Protocol, "folder" | "foreign" | "extends">): readonly PlacedRule[] {
  const ownRules = rulesInFiles(protocol);
  const { extends: extension } = protocol;
  if (extension === undefined) return ownRules;
  return [
    ...inheritedPlaced(extension, allInFiles(extension.parent), new Set(ownRules.map(({ id }) => id))),
    ...ownRules,
  ];
}

/** The rules in a pack's own rule files, each with its place. For a built-in protocol, these are the rules that the build wrote, without lines. */
export function rulesInFiles({ folder, foreign }: Pick<Protocol, "folder" | "foreign">): readonly PlacedRule[] {
  return foreign === true ? (fileRulesByFolder.get(folder) ?? []) : builtRules(folder).rules;
}

/** Like `allInFiles`, but also with lines for a built-in protocol. Empty in the published package, which does not contain our rule files. */
export function rulesWithLines(protocol: Pick<Protocol, "folder" | "foreign" | "extends">): readonly PlacedRule[] {
  const { extends: extension, folder, foreign } = protocol;
  if (foreign === true) return allInFiles(protocol);
  const ownRules = hasFamilies(folder) ? placedRules(ruleFamilies(folder)) : [];
  if (extension === undefined) return ownRules;
  return [
    ...inheritedPlaced(extension, rulesWithLines(extension.parent), new Set(ownRules.map(({ id }) => id))),
    ...ownRules,
  ];
}

/** The messages that the cases of a protocol change; undefined if there are none. Throws a usage error with file and line. */
export function fixturesOf({
  folder,
  foreign,
  extends: extension,
}: Pick<Protocol, "folder" | "foreign" | "extends">): RuleFile<FixtureFile> | undefined {
  const ownFixtures = foreign === true ? fixturesIn(folder) : builtRules(folder).fixtures;
  const parentFixtures = extension === undefined ? undefined : fixturesOf(extension.parent);
  if (extension === undefined || parentFixtures === undefined) return ownFixtures;
  const names = namesOf(extension);
  const inheritedFixtures = Object.entries(parentFixtures.value).map(
    ([name, value]) => [name, names.message(value)] as const,
  );
  return {
    ...(ownFixtures ?? parentFixtures),
    value: { ...Object.fromEntries(inheritedFixtures), ...ownFixtures?.value },
  };
}

/** The order of the published vectors of cases; undefined for a protocol without one, such as a user's. */
export function publishedOrder({ folder, foreign }: Pick<Protocol, "folder" | "foreign">): PublishedOrder | undefined {
  return foreign === true ? undefined : builtRules(folder).published;
}

/** The position of a document in its pack's profile, as `FILE:LINE`; undefined for other protocols. */
export function documentLine(protocol: Protocol, name: string): string | undefined {
  const { profile } = readByPack.get(protocol.profile) ?? {};
  return (
    profile &&
    lineIn(
      profile,
      protocol.profile.documents.findIndex((document) => document.name === name),
    )
  );
}

/** A string that changes whenever a file of the pack or of its parents changes. */
function stampOf(folder: string): string {
  const parent = parents.get(folder);
  const jsonFiles = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return [...jsonBeneath(join(folder, "schemas")), ...jsonFiles.map((name) => join(folder, name)), ...rulePaths(folder)]
    .map((file) => {
      const { mtimeMs, size, ino } = statSync(file);
      return `${file} ${mtimeMs} ${size} ${ino}`;
    })
    .join("\n")
    .concat(parent === undefined || !existsSync(parent) ? "" : `\n${stampOf(parent)}`);
}
