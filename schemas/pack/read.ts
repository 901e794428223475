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
import { extensionIn, inheritedProfile, inheritedSchemas, mustSite, namesOf, parentRules } from "./inherit.ts";
import { originsIn } from "./origins.ts";
import { inheritedPlaced, mergeOverrides } from "./overriding.ts";
import { packFolder } from "./path.ts";
import { completeProfile, fault, filesOf, lineIn, mustLift, mustRule, type ReadProfile } from "./profile.ts";
import { mustRead } from "./readings.ts";
import type { FixtureFile } from "./rule-file.ts";
import { fixturesIn, type PlacedRule, placedRules, type RuleFile, ruleFamilies, rulePaths } from "./rule-files.ts";
import { packRules } from "./rules.ts";
import { fileOf, type InheritedText, jsonBeneath, type PackSchemas, packSchemas } from "./schemas.ts";

interface CachedPack {
  stamp: string;
  protocol: Protocol;
}

const cachedPacks = new Map<string, CachedPack>();
/** What was read for each pack, by its profile, which copies of a protocol share. */
const readByPack = new WeakMap<
  Profile,
  { profile: ReadProfile; schemas: PackSchemas; origin: ReturnType<typeof originsIn> }
>();
/** The rules in files of each pack as last read, by folder: a copy of a protocol may have another profile. */
const inFiles = new Map<string, readonly PlacedRule[]>();

/** The same pack with permission to load its code. Returns the same object for the same pack: caches depend on it. */
export function withCode(protocol: Protocol, code: CodeSource): Protocol {
  const before = grantedProtocols.get(protocol)?.[code];
  if (before !== undefined) return before;
  const made: Protocol = { ...protocol, code };
  grantedProtocols.set(protocol, { ...grantedProtocols.get(protocol), [code]: made });
  return made;
}

const grantedProtocols = new WeakMap<Protocol, Partial<Record<CodeSource, Protocol>>>();

/**
 * The pack in a folder, as a protocol, without permission to load its code. `given` is the folder or the profile in it. The pack is read again
 * if one of its files has changed. Throws a usage error with file, line and remedy for a broken pack.
 */
export function readPack(given: string): Protocol {
  const folder = packFolder(given);
  const stamp = stampOf(folder);
  const before = cachedPacks.get(folder);
  if (before?.stamp === stamp) return before.protocol;
  parents.delete(folder);
  const protocol = readFolder(folder);
  cachedPacks.set(folder, { stamp: stampOf(folder), protocol });
  return protocol;
}

function readFolder(folder: string): Protocol {
  const given = profileIn(folder);
  refuseMissing(given);
  const named = extensionIn(given, (pack) => parentOf(given, pack), casesIn);
  const extension = named === undefined ? undefined : { ...named, played: playedIn(named.parent) };
  const profile = { ...given, profile: inheritedProfile(given.profile, extension) };
  const schemas = packSchemas(folder, filesOf(given), extension && virtualSchemas(given, extension));
  const complete = completeProfile(profile, schemas.ids);
  mustLift(profile, schemas.schemas);
  const before = extension === undefined ? [] : allInFiles(extension.parent);
  const placed = mergeOverrides(extension, placedRules(ruleFamilies(folder)), before);
  const byFile = new Map([...schemas.ids].map(([path, id]) => [basename(path), id]));
  // Rules may name the author's file, which `generate` copies to NAME.schema.json.
  for (const [name, id] of [...byFile]) {
    const plain = name.replace(/\.schema\.json$/, ".json");
    if (!byFile.has(plain)) byFile.set(plain, id);
  }
  const own = packRules(folder, placed, {
    schemas: schemas.schemas,
    aliases: byFile,
    publishes: Object.keys(complete.http.publishes ?? {}),
  });
  const rules = extension === undefined ? own : withInherited(extension, own);
  mustSite(given, rules, schemas.schemas);
  const protocol: Protocol = {
    name: complete.protocol,
    version: complete.version,
    folder,
    profile: complete,
    rules,
    schemas: schemas.schemas,
    foreign: true as const,
    ...(extension === undefined ? {} : { extends: extension }),
  };
  mustRule(
    profile,
    rules.map(({ id }) => id),
  );
  inFiles.set(folder, placed);
  mustRead(profile, allInFiles(protocol));
  readByPack.set(complete, { profile, schemas, origin: originsIn(folder) });
  return protocol;
}

function profileIn(folder: string): ReadProfile {
  const file = shownPath(join(folder, profileFile));
  const text = readJson(readWhole(join(folder, profileFile)), file);
  mustBe("profile", file, text);
  return { folder, file, text, profile: text.value as unknown as ProfileFile };
}

/** The parent's rules in their order, with the pack's overrides, and then the pack's own rules. */
function withInherited(extension: Extension, own: readonly Rule[]): Rule[] {
  const inherited = parentRules(extension);
  const ids = new Set(inherited.map(({ id }) => id));
  const changed = new Map(own.map((rule) => [rule.id, rule]));
  return [...inherited.map((rule) => changed.get(rule.id) ?? rule), ...own.filter(({ id }) => !ids.has(id))];
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
const reading: string[] = [];

/** The parent that a profile names. Throws a usage error for a missing one, and for packs that extend each other. */
function parentOf(given: ReadProfile, pack: string): Protocol {
  const at = "/extends/pack";
  const ours = builtInNamed(pack);
  if (ours !== undefined) return ours;
  const folder = join(given.folder, pack);
  if (isAbsolute(pack) || !existsSync(join(folder, profileFile))) {
    const names = builtInPacks.map(({ name }) => name);
    throw fault(
      given,
      at,
      isAbsolute(pack) ? `"${pack}" is an absolute path` : `there is no pack "${pack}"`,
      `${nearestName(pack, names)}give the folder of a pack, relative to ${given.file}, or one of ${names.join(", ")}`,
    );
  }
  const chain = [...reading, given.folder];
  const again = chain.indexOf(folder);
  if (again !== -1) {
    const shown = [...chain.slice(again), folder].map((each) => basename(each)).join(" → ");
    throw fault(given, at, `the packs extend each other: ${shown}`, "let one of them say all that it has");
  }
  reading.push(given.folder);
  try {
    parents.set(given.folder, folder);
    return readPack(folder);
  } finally {
    reading.pop();
  }
}

/** The folder of the pack that each pack extends, as it was read last. */
const parents = new Map<string, string>();

/** The parent's schemas as if they were in the pack, but with their positions in the parent's files. */
function virtualSchemas(
  { profile }: ReadProfile,
  extension: Extension,
): (own: readonly JsonObject[]) => InheritedText[] {
  const back = namesOf(extension).back();
  const names = profile.documents.flatMap(({ name, file }) => (name === undefined || file === undefined ? [] : name));
  return (schemas) => {
    const own = new Set(schemas.map(({ $id }) => String($id)));
    return inheritedSchemas(extension, own, { names, schemas }).map(({ file, schema, parentId }) => ({
      file,
      schema,
      source: (at) => sourceIn(extension.parent, `${parentId}#${back.pointer(at)}`),
    }));
  };
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
      `the file "${fileOf(file)}" does not exist`,
      `${nearestName(fileOf(file), there)}name a schema in the pack`,
    );
  }
}

/** The position of a location in a pack's schemas, in its source file if known; undefined for other protocols, and for unknown locations. */
export function sourceIn(protocol: Protocol, location: string): Source | undefined {
  const { origin, schemas } = readByPack.get(protocol.profile) ?? {};
  return origin?.(location) ?? schemas?.source(location);
}

/** The position of a location in the first of several protocols that has it. */
export function sourceAmong(protocols: readonly Protocol[], location: string): Source | undefined {
  return protocols.map((protocol) => sourceIn(protocol, location)).find((source) => source !== undefined);
}

/** The rules of a pack and of the packs that it extends from rule files, all in the pack's names. */
export function allInFiles(protocol: Pick<Protocol, "folder" | "foreign" | "extends">): readonly PlacedRule[] {
  const own = rulesInFiles(protocol);
  const { extends: extension } = protocol;
  if (extension === undefined) return own;
  return [...inheritedPlaced(extension, allInFiles(extension.parent), new Set(own.map(({ id }) => id))), ...own];
}

/** The rules of a pack in its own rule files, each with its place. A built-in protocol has the rules that the build wrote, without lines. */
export function rulesInFiles({ folder, foreign }: Pick<Protocol, "folder" | "foreign">): readonly PlacedRule[] {
  return foreign === true ? (inFiles.get(folder) ?? []) : builtRules(folder).rules;
}

/** Like `allInFiles`, but with lines also for a built-in protocol; none in the published package, which does not contain our rule files. */
export function rulesWithLines(protocol: Pick<Protocol, "folder" | "foreign" | "extends">): readonly PlacedRule[] {
  const { extends: extension, folder, foreign } = protocol;
  if (foreign === true) return allInFiles(protocol);
  const own = hasFamilies(folder) ? placedRules(ruleFamilies(folder)) : [];
  if (extension === undefined) return own;
  return [...inheritedPlaced(extension, rulesWithLines(extension.parent), new Set(own.map(({ id }) => id))), ...own];
}

/** The messages that the cases of a protocol change; undefined if there are none. Throws a usage error with file and line. */
export function fixturesOf({
  folder,
  foreign,
  extends: extension,
}: Pick<Protocol, "folder" | "foreign" | "extends">): RuleFile<FixtureFile> | undefined {
  const own = foreign === true ? fixturesIn(folder) : builtRules(folder).fixtures;
  const before = extension === undefined ? undefined : fixturesOf(extension.parent);
  if (extension === undefined || before === undefined) return own;
  const names = namesOf(extension);
  const taken = Object.entries(before.value).map(([name, value]) => [name, names.message(value)] as const);
  return { ...(own ?? before), value: { ...Object.fromEntries(taken), ...own?.value } };
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

/** A text that changes whenever a file of the pack or of its parents changes. */
function stampOf(folder: string): string {
  const parent = parents.get(folder);
  const beside = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return [...jsonBeneath(join(folder, "schemas")), ...beside.map((name) => join(folder, name)), ...rulePaths(folder)]
    .map((file) => {
      const { mtimeMs, size, ino } = statSync(file);
      return `${file} ${mtimeMs} ${size} ${ino}`;
    })
    .join("\n")
    .concat(parent === undefined || !existsSync(parent) ? "" : `\n${stampOf(parent)}`);
}
