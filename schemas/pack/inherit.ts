import type { ExtendsFile } from "../extension.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { nearestName } from "../nearest-name.ts";
import { escaped, has } from "../pointer.ts";
import type { Profile } from "../profile.ts";
import type { Extension, Protocol } from "../protocol.ts";
import type { Rule, RuleStatus } from "../rule.ts";
import type { DocumentFile, ProfileFile } from "./file.ts";
import { fault, type ReadProfile } from "./profile.ts";
import { type NameChange, renamedData, renamedSchema, renameKinds, renamingOf } from "./renaming.ts";

const nameChanges = new WeakMap<Extension, NameChange>();

/** The conversion from the parent's names to the pack's. */
export function namesOf(extension: Extension): NameChange {
  const before = nameChanges.get(extension) ?? renamingOf(extension.rename ?? {});
  nameChanges.set(extension, before);
  return before;
}

/**
 * The extension that a profile names, with its parent, which `findParent` finds; `casesOf` returns the cases in its files. Throws a usage
 * error with file and line for an unknown parent, rename, rule or document, and for two names that become one.
 */
export function extensionIn(
  read: ReadProfile,
  findParent: (pack: string) => Protocol,
  casesOf: (parent: Protocol) => unknown,
): Extension | undefined {
  const { extends: given } = read.profile;
  if (given === undefined) return undefined;
  const { pack, ...more } = given;
  const parent = findParent(pack);
  refuseUnknown(read, given, parent);
  refuseCollisions(read, given);
  refuseTakenNames(read, given, parent);
  refuseUselessRenames(read, given, parent, casesOf(parent));
  return { ...more, parent };
}

function refuseUnknown(read: ReadProfile, { gone = {}, stated = [] }: ExtendsFile, parent: Protocol): void {
  const ids = parent.rules.map(({ id }) => id);
  const documents = parent.profile.documents.map(({ name }) => name);
  const readings = (parent.profile.readings ?? []).map(({ id }) => id);
  const refuse = (at: string, name: string, kind: string, there: readonly string[]): void => {
    if (there.includes(name)) return;
    const hint = `${nearestName(name, there)}use the names of ${parent.name}`;
    throw fault(read, `/extends/${at}`, `${parent.name} has no ${kind} "${name}"`, hint);
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
    for (const [index, [old, young]] of names.entries()) {
      const other = names.slice(0, index).find(([, each]) => each === young);
      if (other === undefined) continue;
      const at = `/extends/rename/${kind}/${escaped(old)}`;
      throw fault(read, at, `"${other[0]}" and "${old}" both become "${young}"`, "give each a name of its own");
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
  const changed = new Set([
    ...(gone.documents ?? []),
    ...read.profile.documents.flatMap((document) => (document.file === undefined ? [] : [document.name])),
  ]);
  const dropped = new Set(
    profile.documents.flatMap((document) => (changed.has(document.name) ? [document.schema] : [])),
  );
  const inherited = schemas.filter(({ $id }) => !dropped.has($id as string));
  const taken = new Set(inherited.flatMap(membersIn));
  for (const [old, young] of Object.entries(members))
    if (taken.has(young) && members[young] === undefined)
      throw fault(
        read,
        `/extends/rename/members/${escaped(old)}`,
        `"${old}" becomes "${young}", but ${name} has another member of that name`,
        `choose another name, or rename "${young}" too`,
      );
}

/** The names of all members that a schema declares. */
function membersIn(schema: Json): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = schema as JsonObject;
  const own = isObject(properties) ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap(membersIn)];
}

function refuseUselessRenames(read: ReadProfile, { rename = {} }: ExtendsFile, parent: Protocol, cases: unknown): void {
  const ids = parent.rules.map(({ id }) => id);
  const all = JSON.stringify([parent.profile, parent.schemas, parent.rules, cases]);
  const quote = (name: string): string => JSON.stringify(name).slice(1, -1);
  const isNameUsed: Readonly<Record<(typeof renameKinds)[number], (name: string) => boolean>> = {
    ids: (name) => ids.some((id) => id.startsWith(name)),
    members: (name) =>
      [`"${quote(name)}"`, `/${quote(name)}"`, `\`${quote(name)}\``].some((each) => all.includes(each)),
    headers: (name) => all.toLowerCase().includes(quote(name).toLowerCase()),
    paths: (name) => all.includes(quote(name)),
    texts: (name) => all.includes(quote(name)),
  };
  for (const kind of renameKinds)
    for (const name of Object.keys(rename[kind] ?? {}))
      if (!isNameUsed[kind](name))
        throw fault(
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
  const { documents: before, http: httpBefore, errors: errorsBefore = [], sides: sidesBefore = {}, ...taken } = parent;
  const { extends: _extends, ...more } = own;
  const gone = extension.gone?.documents ?? [];
  const rest = before.filter(({ name }) => !gone.includes(name));
  const documents = (own.documents ?? []).map((document): DocumentFile => {
    const same = rest.find(({ name }) => name === document.name);
    if (same === undefined) return document;
    const { file: _file, schema, ...kept } = same;
    const { moreSamples, ...said } = document;
    const samples = [...(said.samples ?? kept.samples ?? []), ...(moreSamples ?? [])];
    return {
      ...kept,
      ...(document.file === undefined ? { schema } : {}),
      ...said,
      ...(samples.length === 0 ? {} : { samples }),
    };
  });
  const ownNames = new Set(documents.map(({ name }) => name));
  const inherited = rest
    .filter(({ name }) => !ownNames.has(name))
    .map(({ file: _file, ...kept }): DocumentFile => kept);
  const codes = new Set((own.errors ?? []).map(({ code }) => code));
  const sides = mergeSides(sidesBefore, own.sides ?? {});
  const errors = [...errorsBefore.filter(({ code }) => !codes.has(code)), ...(own.errors ?? [])];
  return {
    ...taken,
    ...more,
    documents: [...documents, ...inherited],
    http: { ...httpBefore, ...own.http },
    ...(Object.keys(sides).length === 0 ? {} : { sides }),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

/** The sides of both, with the hooks of both. The parent's sides come first. */
function mergeSides(before: NonNullable<ProfileFile["sides"]>, own: NonNullable<ProfileFile["sides"]>): typeof own {
  const merged = Object.entries(own).map(([name, side]) => {
    const hooks = { ...before[name]?.hooks, ...side.hooks };
    return [name, { ...before[name], ...side, hooks }] as const;
  });
  return { ...before, ...Object.fromEntries(merged) };
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
  /** The parent's name for it. */
  parentId: string;
}

/** The names of parent documents that have another schema in the pack, and the pack's own schemas with their `$id`. */
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
  const taken = parent.schemas.flatMap((each, index) => {
    const document = parent.profile.documents[index];
    if (document !== undefined && gone.documents?.includes(document.name)) return [];
    const schema = renamedSchema(each, names) as JsonObject;
    if (own.has(String(schema.$id))) return [];
    const file = document?.file ?? `inherited/${index}.json`;
    const isReplaced = document !== undefined && replaced.names.includes(document.name);
    return [{ file, schema, parentId: String(each.$id), isReplaced }];
  });
  const readers = [...replaced.schemas, ...taken.filter(({ isReplaced }) => !isReplaced).map(({ schema }) => schema)];
  const isNeeded = (id: string): boolean => readers.some((schema) => refersTo(schema, id));
  return taken.flatMap(({ isReplaced, ...each }) => (isReplaced && !isNeeded(String(each.schema.$id)) ? [] : [each]));
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
  const before = rulesByExtension.get(extension);
  if (before !== undefined) return before;
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
export function mustSite(read: ReadProfile, rules: readonly Rule[], schemas: readonly JsonObject[]): void {
  for (const { id, sites = [] } of rules)
    for (const site of sites) {
      const [address = "", pointer = ""] = site.split("#", 2);
      const schema: Json | undefined = schemas.find(({ $id }) => $id === address);
      if (schema !== undefined && has(pointer, schema)) continue;
      throw fault(
        read,
        "/extends",
        `the rule ${id}, which is inherited unchanged, is stated at ${site}, and no schema of the pack has that`,
        "name its place in the pack: in a file of rules, overrides: true and sites; or list the rule under gone",
      );
    }
}
