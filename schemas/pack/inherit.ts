import type { ExtendsFile } from "../extension.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { nearestName } from "../nearest-name.ts";
import { escaped, has } from "../pointer.ts";
import type { Profile } from "../profile.ts";
import type { Extension, Protocol } from "../protocol.ts";
import type { Rule, RuleStatus } from "../rule.ts";
import type { DocumentFile, ProfileFile } from "./file.ts";
import { profileFault, type ReadProfile } from "./profile.ts";
import { type NameChange, renamedData, renamedSchema, renameKinds, renamingOf } from "./renaming.ts";

const nameChanges = new WeakMap<Extension, NameChange>();

/** Returns the conversion from the parent's names to the pack's. */
export function namesOf(extension: Extension): NameChange {
  const nameChange = nameChanges.get(extension) ?? renamingOf(extension.rename ?? {});
  nameChanges.set(extension, nameChange);
  return nameChange;
}

/**
 * Returns the extension that a profile names. `findParent` finds the parent, and `casesOf` returns the cases in the parent's files. Throws a
 * usage error with file and line for an unknown parent, rename, rule or document, and for two names that become one.
 */
export function extensionIn(
  read: ReadProfile,
  findParent: (pack: string) => Protocol,
  casesOf: (parent: Protocol) => unknown,
): Extension | undefined {
  const { extends: extendsEntry } = read.profile;
  if (extendsEntry === undefined) return undefined;
  const { pack, ...more } = extendsEntry;
  const parent = findParent(pack);
  refuseUnknown(read, extendsEntry, parent);
  refuseCollisions(read, extendsEntry);
  refuseTakenNames(read, extendsEntry, parent);
  refuseUselessRenames(read, extendsEntry, parent, casesOf(parent));
  return { ...more, parent };
}

function refuseUnknown(read: ReadProfile, { gone = {}, stated = [] }: ExtendsFile, parent: Protocol): void {
  const ids = parent.rules.map(({ id }) => id);
  const documents = parent.profile.documents.map(({ name }) => name);
  const readings = (parent.profile.readings ?? []).map(({ id }) => id);
  const refuse = (at: string, name: string, kind: string, knownNames: readonly string[]): void => {
    if (knownNames.includes(name)) return;
    const hint = `${nearestName(name, knownNames)}use the names of ${parent.name}`;
    throw profileFault(read, `/extends/${at}`, `${parent.name} has no ${kind} "${name}"`, hint);
  };
  for (const [index, id] of (gone.rules ?? []).entries()) refuse(`gone/rules/${index}`, id, "rule", ids);
  for (const [index, name] of (gone.documents ?? []).entries())
    refuse(`gone/documents/${index}`, name, "document", documents);
  for (const [index, id] of (gone.readings ?? []).entries()) refuse(`gone/readings/${index}`, id, "reading", readings);
  for (const [place, { rules }] of stated.entries())
    for (const [index, id] of rules.entries()) refuse(`stated/${place}/rules/${index}`, id, "rule", ids);
}

function refuseCollisions(read: ReadProfile, { rename = {} }: ExtendsFile): void {
  for (const kind of renameKinds) {
    const names = Object.entries(rename[kind] ?? {});
    for (const [index, [oldName, newName]] of names.entries()) {
      const earlierRename = names.slice(0, index).find(([, earlierName]) => earlierName === newName);
      if (earlierRename === undefined) continue;
      const at = `/extends/rename/${kind}/${escaped(oldName)}`;
      throw profileFault(
        read,
        at,
        `"${earlierRename[0]}" and "${oldName}" both become "${newName}"`,
        "give each a name of its own",
      );
    }
  }
}

/** Throws a usage error if a renamed member gets the name of another inherited member: the two would be swapped. */
function refuseTakenNames(
  read: ReadProfile,
  { rename = {}, gone = {} }: ExtendsFile,
  { name, profile, schemas }: Protocol,
): void {
  const { members = {} } = rename;
  const replacedNames = new Set([
    ...(gone.documents ?? []),
    ...read.profile.documents.flatMap((document) => (document.file === undefined ? [] : [document.name])),
  ]);
  const replacedSchemas = new Set(
    profile.documents.flatMap((document) => (replacedNames.has(document.name) ? [document.schema] : [])),
  );
  const inherited = schemas.filter(({ $id }) => !replacedSchemas.has($id as string));
  const inheritedNames = new Set(inherited.flatMap(membersIn));
  for (const [oldName, newName] of Object.entries(members))
    if (inheritedNames.has(newName) && members[newName] === undefined)
      throw profileFault(
        read,
        `/extends/rename/members/${escaped(oldName)}`,
        `"${oldName}" becomes "${newName}", but ${name} has another member of that name`,
        `choose another name, or rename "${newName}" too`,
      );
}

/** The names of all members that a schema declares. */
function membersIn(schema: Json): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = schema as JsonObject;
  const declaredNames = isObject(properties) ? Object.keys(properties) : [];
  return [...declaredNames, ...Object.values(schema).flatMap(membersIn)];
}

function refuseUselessRenames(read: ReadProfile, { rename = {} }: ExtendsFile, parent: Protocol, cases: unknown): void {
  const ids = parent.rules.map(({ id }) => id);
  const allData = JSON.stringify([parent.profile, parent.schemas, parent.rules, cases]);
  const quote = (name: string): string => JSON.stringify(name).slice(1, -1);
  const isNameUsed: Readonly<Record<(typeof renameKinds)[number], (name: string) => boolean>> = {
    ids: (name) => ids.some((id) => id.startsWith(name)),
    members: (name) =>
      [`"${quote(name)}"`, `/${quote(name)}"`, `\`${quote(name)}\``].some((form) => allData.includes(form)),
    headers: (name) => allData.toLowerCase().includes(quote(name).toLowerCase()),
    paths: (name) => allData.includes(quote(name)),
    texts: (name) => allData.includes(quote(name)),
  };
  for (const kind of renameKinds)
    for (const name of Object.keys(rename[kind] ?? {}))
      if (!isNameUsed[kind](name))
        throw profileFault(
          read,
          `/extends/rename/${kind}/${escaped(name)}`,
          `the rename names nothing: ${parent.name} has no ${nouns[kind]} "${name}"`,
          `${kind === "ids" ? nearestName(name, ids) : ""}use a name of ${parent.name}, or leave it out`,
        );
}

const nouns = {
  ids: "rule whose id begins with",
  members: "member",
  headers: "header",
  paths: "path",
  texts: "text",
} as const;

/** The profile with the inherited parts. Its own documents come first, so that their indexes match the file. */
export function inheritedProfile(own: ProfileFile, extension: Extension | undefined): ProfileFile {
  if (extension === undefined) return own;
  const {
    $schema: _,
    protocol: _protocol,
    version: _version,
    title: _title,
    summary: _summary,
    ...parent
  } = renamedData(withoutReadings(extension.parent.profile, extension.gone?.readings), namesOf(extension));
  const {
    documents: parentDocuments,
    http: parentHttp,
    errors: parentErrors = [],
    sides: parentSides = {},
    ...inheritedMembers
  } = parent;
  const { extends: _extends, ...ownMembers } = own;
  const gone = extension.gone?.documents ?? [];
  const remainingDocuments = parentDocuments.filter(({ name }) => !gone.includes(name));
  const documents = (own.documents ?? []).map((document): DocumentFile => {
    const inheritedDocument = remainingDocuments.find(({ name }) => name === document.name);
    if (inheritedDocument === undefined) return document;
    const { file: _file, schema, ...inheritedParts } = inheritedDocument;
    const { moreSamples, ...ownParts } = document;
    const samples = [...(ownParts.samples ?? inheritedParts.samples ?? []), ...(moreSamples ?? [])];
    return {
      ...inheritedParts,
      ...(document.file === undefined ? { schema } : {}),
      ...ownParts,
      ...(samples.length === 0 ? {} : { samples }),
    };
  });
  const ownNames = new Set(documents.map(({ name }) => name));
  const inherited = remainingDocuments
    .filter(({ name }) => !ownNames.has(name))
    .map(({ file: _file, ...document }): DocumentFile => document);
  const codes = new Set((own.errors ?? []).map(({ code }) => code));
  const sides = mergeSides(parentSides, own.sides ?? {});
  const errors = [...parentErrors.filter(({ code }) => !codes.has(code)), ...(own.errors ?? [])];
  return {
    ...inheritedMembers,
    ...ownMembers,
    documents: [...documents, ...inherited],
    http: { ...parentHttp, ...own.http },
    ...(Object.keys(sides).length === 0 ? {} : { sides }),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

/** Merges the sides of both profiles, and their hooks. The parent's sides are listed first. */
function mergeSides(
  parentSides: NonNullable<ProfileFile["sides"]>,
  ownSides: NonNullable<ProfileFile["sides"]>,
): typeof ownSides {
  const merged = Object.entries(ownSides).map(([name, side]) => {
    const hooks = { ...parentSides[name]?.hooks, ...side.hooks };
    return [name, { ...parentSides[name], ...side, hooks }] as const;
  });
  return { ...parentSides, ...Object.fromEntries(merged) };
}

function withoutReadings(profile: Profile, gone: readonly string[] = []): Profile {
  const { readings } = profile;
  return readings === undefined ? profile : { ...profile, readings: readings.filter(({ id }) => !gone.includes(id)) };
}

/** A schema of the parent in the names of the pack, with its path in the pack. */
export interface InheritedSchema {
  /** Relative to the pack. */
  file: string;
  schema: JsonObject;
  /** The `$id` of the schema in the parent. */
  parentId: string;
}

/** The names of parent documents that have a different schema in the pack, and the pack's own schemas with their `$id`. */
export interface ReplacedDocuments {
  names: readonly string[];
  schemas: readonly JsonObject[];
}

/** The parent's schemas that the pack does not define. Schemas of replaced documents are kept only if other schemas refer to them. */
export function inheritedSchemas(
  extension: Extension,
  own: ReadonlySet<string>,
  replaced: ReplacedDocuments = { names: [], schemas: [] },
): InheritedSchema[] {
  const { parent, gone = {} } = extension;
  const names = namesOf(extension);
  const candidates = parent.schemas.flatMap((parentSchema, index) => {
    const document = parent.profile.documents[index];
    if (document !== undefined && gone.documents?.includes(document.name)) return [];
    const schema = renamedSchema(parentSchema, names) as JsonObject;
    if (own.has(String(schema.$id))) return [];
    const file = document?.file ?? `inherited/${index}.json`;
    const isReplaced = document !== undefined && replaced.names.includes(document.name);
    return [{ file, schema, parentId: String(parentSchema.$id), isReplaced }];
  });
  const readers = [
    ...replaced.schemas,
    ...candidates.filter(({ isReplaced }) => !isReplaced).map(({ schema }) => schema),
  ];
  const isNeeded = (id: string): boolean => readers.some((schema) => refersTo(schema, id));
  return candidates.flatMap(({ isReplaced, ...inherited }) =>
    isReplaced && !isNeeded(String(inherited.schema.$id)) ? [] : [inherited],
  );
}

/** Whether a schema has a reference to another one, by its `$id`. */
function refersTo(schema: JsonObject, id: string): boolean {
  const references = JSON.stringify(schema).matchAll(/"\$(?:ref|dynamicRef|recursiveRef)":("(?:[^"\\]|\\.)*")/g);
  return [...references].some(([, text = '""']) => {
    const reference = JSON.parse(text) as string;
    const base = String(schema.$id);
    return URL.canParse(reference, base) && new URL(reference, base).href.replace(/#.*$/, "") === id.replace(/#$/, "");
  });
}

/** The parent's rules in the names of the pack, except those that the pack defines or removes. */
export function inheritedRules(extension: Extension, own: ReadonlySet<string>): Rule[] {
  return parentRules(extension).filter(({ id }) => !own.has(id));
}

/** All rules of the parent in the names of the pack, except removed rules. */
export function parentRules(extension: Extension): Rule[] {
  const cached = rulesByExtension.get(extension);
  if (cached !== undefined) return cached;
  const { parent, gone = {} } = extension;
  const names = namesOf(extension);
  const rules = parent.rules
    .filter(({ id }) => !gone.rules?.includes(id))
    .map((rule): Rule => ({ ...renamedData(rule, names), status: statusOf(rule, extension) }));
  rulesByExtension.set(extension, rules);
  return rules;
}

const rulesByExtension = new WeakMap<Extension, Rule[]>();

/** The status of an inherited rule: cases and scenarios that are not inherited do not cover it. */
function statusOf({ id, status }: Rule, { stated = [], parent, played }: Extension): RuleStatus {
  if (!("covered" in status)) return status;
  const why = stated.find(({ rules }) => rules.includes(id))?.why;
  if (why !== undefined) return { planned: why };
  // A built-in pack plays its parent's scenarios in code under its own names.
  if (played === undefined) return status;
  const isPlayed = parent.foreign === true ? played.includes(id) : /scenario/.test(status.covered);
  if (!isPlayed) return status;
  return { planned: `scenarios against a live party: those of ${parent.name} speak its names alone` };
}

/** Throws a usage error for an inherited rule with an assertion that the schemas of the pack do not have. */
export function refuseMissingSites(read: ReadProfile, rules: readonly Rule[], schemas: readonly JsonObject[]): void {
  for (const { id, sites = [] } of rules)
    for (const site of sites) {
      const [address = "", pointer = ""] = site.split("#", 2);
      const schema: Json | undefined = schemas.find(({ $id }) => $id === address);
      if (schema !== undefined && has(pointer, schema)) continue;
      throw profileFault(
        read,
        "/extends",
        `the rule ${id}, which is inherited unchanged, is stated at ${site}, and no schema of the pack has that`,
        "name its place in the pack: in a file of rules, overrides: true and sites; or list the rule under gone",
      );
    }
}
