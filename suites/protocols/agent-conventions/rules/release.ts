import {
  type Breach,
  type Checker,
  canonical,
  isObject,
  type Json,
  type JsonObject,
  pointer,
} from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";

const categories = ["task", "status", "coordination", "escalation", "acknowledgment"];

const fiveFiles: Checker = {
  rule: "CONV-NAM-003",
  documents: ["schema-folder"],
  *check(folder) {
    const files = textsAt(folder, "files");
    const form = /^schema-(.*)\.(?:yaml|json)$/;
    const named = files.map(({ text, index }) => ({ at: `/files/${index}`, text, category: form.exec(text)?.[1] }));
    for (const category of categories) {
      const [, ...more] = named.filter((each) => each.category === category);
      if (!named.some((each) => each.category === category))
        yield { at: "/files", why: `has no file of the category ${category}` };
      for (const { at, text } of more) yield { at, why: `is ${text}, a second file of the category ${category}` };
    }
    for (const { at, text, category } of named)
      if (text.startsWith("schema-") && (category === undefined || !categories.includes(category)))
        yield { at, why: `is ${text}, which is of no category` };
  },
};

/** MAJOR, MINOR and PATCH as numbers. */
function versionOf(schema: Json | undefined): [number, number, number] | undefined {
  const parts = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(textAt(schema, "version") ?? "");
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

const declared: Checker = {
  rule: "CONV-VER-001",
  documents: ["schema-file"],
  *check(schema) {
    if (!isObject(schema)) return;
    if (textAt(schema, "$schema") !== "https://json-schema.org/draft/2020-12/schema")
      yield { at: "/$schema", why: "is not that of 2020-12" };
    const version = versionOf(schema);
    if (version === undefined) yield { at: "/version", why: "is not MAJOR.MINOR.PATCH" };
    const [, category, major] = /\/([^/]+)\/v(\d+)$/.exec(textAt(schema, "$id") ?? "") ?? [];
    if (category === undefined || !categories.includes(category))
      yield { at: "/$id", why: "does not end in a category and v with its major version" };
    else if (version !== undefined && String(version[0]) !== major)
      yield { at: "/version", why: `has the major ${version[0]}, and $id says ${major}` };
  },
};

/** What changed between two schemas, and whether old messages may break on it. */
interface Difference extends Breach {
  kind: "added" | "widened" | "noted" | "removed" | "narrowed";
  /** A message that was valid before may be invalid now. */
  isBreaking: boolean;
}

/** Annotations: what changes in them changes no verdict. */
const annotations = [
  "title",
  "description",
  "$comment",
  "examples",
  "default",
  "deprecated",
  "$id",
  "version",
  "$schema",
];
/** Whether a greater limit allows more. */
const limits: Record<string, boolean> = {
  ...{ minimum: false, minLength: false, minItems: false, minProperties: false, exclusiveMinimum: false },
  ...{ maximum: true, maxLength: true, maxItems: true, maxProperties: true, exclusiveMaximum: true },
};

function* differences(old: Json, now: Json, at = ""): Generator<Difference> {
  if (!isObject(old) || !isObject(now)) {
    if (canonical(old) !== canonical(now)) yield { at, kind: "narrowed", why: "is another schema", isBreaking: true };
    return;
  }
  for (const keyword of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const before = member(old, keyword);
    const after = member(now, keyword);
    const place = pointer.append(at, keyword);
    if (canonical(before ?? null) === canonical(after ?? null) && (before === undefined) === (after === undefined))
      continue;
    if (keyword === "properties") yield* ofProperties(old, now, at);
    else if (keyword === "items") yield* differences(before ?? {}, after ?? {}, place);
    else if (annotations.includes(keyword))
      yield { at: place, kind: "noted", why: "is said otherwise", isBreaking: false };
    else if (["required", "enum", "type"].includes(keyword)) yield* ofLists(keyword, before, after, place);
    else if (keyword in limits && typeof before === "number" && typeof after === "number") {
      const isWider = after > before === limits[keyword];
      yield {
        at: place,
        kind: isWider ? "widened" : "narrowed",
        why: `was ${before} and is ${after}`,
        isBreaking: !isWider,
      };
    } else if (after === undefined) yield { at: place, kind: "widened", why: "is no longer asked", isBreaking: false };
    else yield { at: place, kind: "narrowed", why: "is asked now", isBreaking: true };
  }
}

function* ofProperties(old: JsonObject, now: JsonObject, at: string): Generator<Difference> {
  const before = member(old, "properties");
  const after = member(now, "properties");
  const isClosed = member(now, "additionalProperties") === false;
  const place = pointer.append(at, "properties");
  for (const name of Object.keys(isObject(before) ? before : {})) {
    const each = pointer.append(place, name);
    if (member(after, name) === undefined)
      yield { at: place, kind: "removed", why: `lacks ${name} now`, isBreaking: isClosed };
    else yield* differences(member(before, name) as Json, member(after, name) as Json, each);
  }
  for (const name of Object.keys(isObject(after) ? after : {}))
    if (member(before, name) === undefined)
      yield { at: pointer.append(place, name), kind: "added", why: "is new", isBreaking: false };
}

/** Lists of words: a required member more or an allowed value less is narrower. */
function* ofLists(
  keyword: string,
  before: Json | undefined,
  after: Json | undefined,
  at: string,
): Generator<Difference> {
  const list = (value: Json | undefined): string[] | undefined =>
    value === undefined ? undefined : (Array.isArray(value) ? value : [value]).map((each) => JSON.stringify(each));
  const isRequired = keyword === "required";
  const was = list(before) ?? (isRequired ? [] : undefined);
  const is = list(after) ?? (isRequired ? [] : undefined);
  const gone = (was ?? []).filter((each) => is !== undefined && !is.includes(each));
  const come = (is ?? []).filter((each) => was !== undefined && !was.includes(each));
  if (was === undefined) yield { at, kind: "narrowed", why: "is asked now", isBreaking: true };
  if (is === undefined) yield { at, kind: "widened", why: "is no longer asked", isBreaking: false };
  if (gone.length > 0)
    yield {
      at,
      kind: isRequired ? "widened" : "removed",
      why: `lacks ${gone.join(", ")} now`,
      isBreaking: !isRequired,
    };
  if (come.length > 0)
    yield { at, kind: isRequired ? "narrowed" : "widened", why: `has ${come.join(", ")} now`, isBreaking: isRequired };
}

type Step = "major" | "minor" | "patch";

function stepOf(release: Json): Step | undefined {
  const before = versionOf(member(release, "old"));
  const after = versionOf(member(release, "new"));
  if (before === undefined || after === undefined) return undefined;
  return before[0] !== after[0] ? "major" : before[1] !== after[1] ? "minor" : "patch";
}

function* between(release: Json): Generator<Difference> {
  const old = member(release, "old");
  const now = member(release, "new");
  if (old !== undefined && now !== undefined) yield* differences(old, now, "/new");
}

const documents = ["release"] as const;

/** A patch only adds optional members; what breaks messages is the matter of CONV-VER-004. */
const patchAdds: Checker = {
  rule: "CONV-VER-002",
  documents,
  *check(release) {
    if (stepOf(release) !== "patch") return;
    for (const { at, why, kind, isBreaking } of between(release)) {
      const isNote = kind === "noted" && !at.endsWith("/deprecated");
      if (kind !== "added" && !isNote && !isBreaking) yield { at, why: `${why}, in a patch release` };
    }
  },
};

/** A minor release takes no member and no value away where messages would not notice; where they would, CONV-VER-004 speaks. */
const minorKeeps: Checker = {
  rule: "CONV-VER-003",
  documents,
  *check(release) {
    if (stepOf(release) !== "minor") return;
    for (const { at, why, kind, isBreaking } of between(release))
      if (kind === "removed" && !isBreaking) yield { at, why: `${why}, in a minor release` };
  },
};

const majorBreaks: Checker = {
  rule: "CONV-VER-004",
  documents,
  *check(release) {
    const step = stepOf(release);
    if (step === undefined || step === "major") return;
    for (const { at, why, isBreaking } of between(release))
      if (isBreaking) yield { at, why: `${why}: messages that were valid are not, without a new major version` };
  },
};

export const releaseCheckers: readonly Checker[] = [fiveFiles, declared, patchAdds, minorKeeps, majorBreaks];
