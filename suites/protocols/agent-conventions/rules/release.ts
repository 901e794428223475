import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { differences, type SchemaChange } from "./differences.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { type BreakingMessage, witnesses } from "./witness.ts";

const categories = ["task", "status", "coordination", "escalation", "acknowledgment"];

const filesChecker: Checker = {
  rule: "CONV-NAM-003",
  documents: ["schema-folder"],
  *check(folder) {
    const files = textsAt(folder, "files");
    const fileName = /^schema-(.*)\.(?:yaml|json)$/;
    const namedFiles = files.map(({ text, index }) => ({
      at: `/files/${index}`,
      text,
      category: fileName.exec(text)?.[1],
    }));
    for (const category of categories) {
      const [, ...otherFiles] = namedFiles.filter((file) => file.category === category);
      if (!namedFiles.some((file) => file.category === category))
        yield { at: "/files", why: `has no file of the category ${category}` };
      for (const { at, text } of otherFiles)
        yield { at, why: `is ${text}, a second file of the category ${category}`, level: "MAY" };
    }
    for (const { at, text, category } of namedFiles)
      if (text.startsWith("schema-") && (category === undefined || !categories.includes(category)))
        yield { at, why: `is ${text}, which does not name a category`, level: "MAY" };
  },
};

/** MAJOR, MINOR and PATCH as numbers. */
function versionOf(schema: Json | undefined): [number, number, number] | undefined {
  const parts = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(textAt(schema, "version") ?? "");
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

const schemaHeadChecker: Checker = {
  rule: "CONV-VER-001",
  documents: ["schema-file"],
  *check(schema) {
    if (!isObject(schema)) return;
    if (textAt(schema, "$schema") !== "https://json-schema.org/draft/2020-12/schema")
      yield { at: "/$schema", why: "is not the URI of JSON Schema 2020-12" };
    const version = versionOf(schema);
    if (version === undefined) yield { at: "/version", why: "is not MAJOR.MINOR.PATCH" };
    const [, category, major] = /\/([^/]+)\/v(\d+)$/.exec(textAt(schema, "$id") ?? "") ?? [];
    if (category === undefined) yield { at: "/$id", why: "does not end in a category and v with its major version" };
    else if (!categories.includes(category))
      yield { at: "/$id", why: `names ${category}, which is none of the five categories`, level: "MAY" };
    if (version !== undefined && major !== undefined && String(version[0]) !== major)
      yield { at: "/version", why: `has the major ${version[0]}, but $id says ${major}` };
  },
};

type VersionStep = "major" | "minor" | "patch";

function stepOf(release: Json): VersionStep | undefined {
  const before = versionOf(member(release, "old"));
  const after = versionOf(member(release, "new"));
  if (before === undefined || after === undefined) return undefined;
  if (before[0] !== after[0]) return "major";
  return before[1] !== after[1] ? "minor" : "patch";
}

interface ReleaseComparison {
  breaking: BreakingMessage[];
  /** Messages that break only because an open object now describes a member that it accepted before. Such a change also adds an optional member. */
  breakingByAddition: BreakingMessage[];
  otherChanges: SchemaChange[];
}

/** A cache, since three rules examine the same release. */
const knownComparisons = new WeakMap<JsonObject, ReleaseComparison>();

/** Compares the two schemas of a release. The result has other changes only if no message breaks, and is empty if the value is not a release. */
function compareRelease(release: Json): ReleaseComparison {
  if (!isObject(release)) return { breaking: [], breakingByAddition: [], otherChanges: [] };
  const comparison = knownComparisons.get(release) ?? compare(release);
  knownComparisons.set(release, comparison);
  return comparison;
}

function compare(release: JsonObject): ReleaseComparison {
  const oldSchema = member(release, "old");
  const newSchema = member(release, "new");
  if (!isObject(oldSchema) || !isObject(newSchema)) return { breaking: [], breakingByAddition: [], otherChanges: [] };
  const breakingMessages = [...witnesses(oldSchema, newSchema)];
  const addedMembers = breakingMessages.filter(({ at }) => isAdded(at, oldSchema));
  const breaking = breakingMessages.filter((breakingMessage) => !addedMembers.includes(breakingMessage));
  // If messages break, only CONV-VER-004 applies.
  return {
    breaking,
    breakingByAddition: addedMembers,
    otherChanges: breaking.length > 0 ? [] : [...differences(oldSchema, newSchema)],
  };
}

/** Whether a location in the new schema lies in a member that the old schema does not describe. */
function isAdded(at: string, oldSchema: JsonObject): boolean {
  const [, member] = /^(.*\/properties\/[^/]+)\/[^/]+/.exec(at) ?? [];
  return member !== undefined && !pointer.has(member, oldSchema);
}

const documents = ["release"] as const;

/** A patch may only add optional members. It is unclear whether it may also widen the allowed values, or deprecate a member. */
const patchChecker: Checker = {
  rule: "CONV-VER-002",
  documents,
  *check(release) {
    if (stepOf(release) !== "patch") return;
    for (const { at, why, kind } of compareRelease(release).otherChanges)
      yield { at, why: `${why}, in a patch release`, ...(kind === "removed" ? {} : { level: "MAY" as const }) };
  },
};

/** A minor release must not remove a member or a value, even if no valid message becomes invalid. */
const minorChecker: Checker = {
  rule: "CONV-VER-003",
  documents,
  *check(release) {
    if (stepOf(release) !== "minor") return;
    for (const { at, why, kind } of compareRelease(release).otherChanges)
      if (kind === "removed") yield { at, why: `${why}, in a minor release` };
  },
};

/** Reports a break only with a message that proves it. */
const majorChecker: Checker = {
  rule: "CONV-VER-004",
  documents,
  *check(release) {
    const step = stepOf(release);
    if (step === undefined || step === "major") return;
    const { breaking, breakingByAddition } = compareRelease(release);
    for (const { at, message } of breakingByAddition)
      yield {
        at: `/new${at}`,
        why: `refuses a message that an open object accepted: ${JSON.stringify(message).slice(0, 200)}`,
        level: "MAY",
      };
    for (const { at, message } of breaking)
      yield {
        at: `/new${at}`,
        why: `refuses a message that was valid before, without a new major version: ${JSON.stringify(message).slice(0, 200)}`,
      };
  },
};

export const releaseCheckers: readonly Checker[] = [
  filesChecker,
  schemaHeadChecker,
  patchChecker,
  minorChecker,
  majorChecker,
];
