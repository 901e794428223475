import { basename, extname, join } from "node:path";
import { type PartialLift, placeOfLift } from "../contradiction.ts";
import { type Dialect, dialectOf, dialects } from "../dialect.ts";
import type { Endpoint } from "../endpoint.ts";
import { TouchstoneError } from "../error.ts";
import { placeOf } from "../faults.ts";
import { equal, isObject, type Json, type JsonObject } from "../json.ts";
import { kebab, kebabWithCapitals } from "../kebab-case.ts";
import { misshapenSchema } from "../meta-schema.ts";
import { nearestName } from "../nearest-name.ts";
import { has, segments, split, at as valueAt } from "../pointer.ts";
import type { AnswerCondition, Document, Profile } from "../profile.ts";
import type { Text } from "../text-place.ts";
import { dependenceFault } from "../value-conditions.ts";
import type { DocumentFile, ProfileFile } from "./file.ts";
import { unfilledPart, withPathParts } from "./path-template.ts";

/** A profile as it was read. */
export interface ReadProfile {
  folder: string;
  /** The path to show in messages. */
  file: string;
  text: Text;
  profile: ProfileFile;
}

/** Any status from 200 to 299. */
const successStatuses = Array.from({ length: 100 }, (_, index) => 200 + index);

/** Completes a profile with derived and default members; `ids` has the `$id` of each schema file. Throws a usage error for a member that cannot be derived. */
export function completeProfile(read: ReadProfile, ids: ReadonlyMap<string, string>): Profile {
  const { $schema = "", version = "1", http = {}, documents, ...given } = read.profile;
  const protocol = given.protocol ?? kebab(basename(read.folder));
  if (protocol === "")
    throw fault(read, "", `the folder "${basename(read.folder)}" gives the protocol no name`, 'add "protocol": "NAME"');
  const { accepted = [{ status: successStatuses }], rejected = [{ status: [400, 422] }], ...more } = http;
  const complete = documents.map((document, index) => documentFrom(read, document, index, ids));
  for (const [index, { name }] of complete.entries())
    if (complete.findIndex((document) => document.name === name) < index)
      throw fault(read, `/documents/${index}`, `there is already a document "${name}"`, 'give it its own "name"');
  refuseUnknownDocuments(read, complete);
  refuseOverlappingAnswers(read);
  refuseUselessClosed(read, complete);
  refuseUnknownFeatures(read, complete);
  return {
    $schema,
    protocol,
    version,
    title: protocol,
    summary: "",
    formats: "annotate",
    ...given,
    documents: complete,
    http: { ...more, accepted, rejected },
  };
}

/** Throws a usage error for a reading that lifts an unknown assertion, or gives it its present value or an impossible one. */
export function mustLift(read: ReadProfile, schemas: readonly JsonObject[]): void {
  for (const { name, lift, there } of liftsIn(read.profile)) {
    const [id = "", path = ""] = placeOfLift(lift).split("#", 2);
    const schema = schemas.find(({ $id }) => String($id).replace(/#$/, "") === id);
    if (schema !== undefined && path !== "" && has(path, schema)) {
      if (typeof lift !== "string") checkPartialLift(read, lift, { schema, path, name, there });
      continue;
    }
    const ids = schemas.map(({ $id }) => String($id));
    throw fault(
      read,
      there,
      schema === undefined
        ? `the reading "${name}" lifts something of ${id}, which is not a schema of the pack`
        : `the reading "${name}" lifts ${path === "" ? "a whole schema" : path}, which is not in ${id}`,
      schema === undefined
        ? `${nearestName(id, ids)}there are ${ids.join(", ")}`
        : "name the assertion by the $id of its schema and a JSON Pointer, such as ID#/properties/a/minLength",
    );
  }
}

/** The lifts of all readings, each with the name of its reading and its place in the profile. */
function liftsIn({
  contradictions = [],
}: Pick<Profile, "contradictions">): { name: string; lift: string | PartialLift; there: string }[] {
  return contradictions.flatMap(({ readings }, index) =>
    readings.flatMap(({ name, lifts = [] }, number) =>
      lifts.map((lift, position) => ({
        name,
        lift,
        there: `/contradictions/${index}/readings/${number}/lifts/${position}`,
      })),
    ),
  );
}

/** Throws a usage error if a reading gives an assertion its present value, or a value that its keyword cannot have. */
function checkPartialLift(
  read: ReadProfile,
  { to }: PartialLift,
  { schema, path, name, there }: { schema: JsonObject; path: string; name: string; there: string },
): void {
  const shown = JSON.stringify(to);
  if (equal(to, valueAt(path, schema) as Json))
    throw fault(
      read,
      `${there}/to`,
      `the reading "${name}" gives ${path} the value that it has, and lifts nothing`,
      "give the value that it has under the reading",
    );
  const dialect = dialectOf(schema.$schema) ?? (dialects.at(-1) as Dialect);
  const [wrong] = misshapenSchema({ dialect, schema: withValue(schema, segments(path), to) as JsonObject }, "");
  if (wrong !== undefined)
    throw fault(read, `${there}/to`, `${path} cannot be ${shown} under the reading "${name}"`, `see ${dialect.uri}`);
}

/** A copy with another value at a location. */
function withValue(within: Json, [first, ...rest]: readonly string[], value: Json): Json {
  if (first === undefined) return value;
  if (Array.isArray(within)) return within.with(Number(first), withValue(within[Number(first)] as Json, rest, value));
  return isObject(within) ? { ...within, [first]: withValue(within[first] as Json, rest, value) } : within;
}

/** Throws a usage error if an answer can be accepted and rejected at once, and neither condition is more specific. */
function refuseOverlappingAnswers(read: ReadProfile): void {
  const { http: { accepted = [], rejected = [], reason } = {}, documents } = read.profile;
  for (const [index, condition] of accepted.entries()) {
    const at = `/http/accepted/${index}`;
    const overlapping = rejected.find(
      (other) => equal(withoutStatus(condition), withoutStatus(other)) && sharedStatus(condition.status, other.status),
    );
    if (overlapping !== undefined)
      throw bothReadError(read, at, `status ${sharedStatus(condition.status, overlapping.status)}`);
    const code = reason?.code === undefined ? undefined : condition.equal?.[reason.code];
    if (code !== undefined && reason?.codes?.some((each) => equal(each, code)))
      throw fault(
        read,
        at,
        `the code ${JSON.stringify(code)} is accepted here, and under reason.codes it refuses`,
        "take it out of one of them: codes are those of a refused message",
      );
  }
  for (const [index, { endpoint }] of documents.entries()) {
    if (typeof endpoint !== "object") continue;
    const status = sharedStatus(endpoint.accepted, endpoint.rejected);
    if (status !== undefined) throw bothReadError(read, `/documents/${index}/endpoint`, `status ${status}`);
  }
}

/** Throws a usage error for a closed path with fewer than two documents: closing it has no effect. */
function refuseUselessClosed(read: ReadProfile, documents: readonly Document[]): void {
  const paths = documents.flatMap(({ endpoint }) => endpoint?.path ?? []);
  for (const [index, path] of (read.profile.http?.closed ?? []).entries()) {
    const shared = paths.filter((each, at) => paths.indexOf(each) < at);
    if (!shared.includes(path))
      throw fault(
        read,
        `/http/closed/${index}`,
        `expected a path of several documents, got ${path}`,
        shared.length === 0
          ? "leave it out: each path has one document"
          : `${nearestName(path, shared)}there are ${[...new Set(shared)].join(", ")}`,
      );
  }
}

/** Throws a usage error for a feature of an unknown document, or that depends on a document that is not published. */
function refuseUnknownFeatures(read: ReadProfile, documents: readonly Document[]): void {
  const { features = [], publishes = {} } = read.profile.http ?? {};
  const names = documents.map(({ name }) => name);
  for (const [index, feature] of features.entries()) {
    const at = `/http/features/${index}`;
    const wrong = dependenceFault(feature, Object.keys(publishes));
    if (wrong !== undefined) throw fault(read, `${at}${wrong.at}`, wrong.what, wrong.hint);
    for (const [place, name] of feature.documents.entries())
      if (!names.includes(name))
        throw fault(
          read,
          `${at}/documents/${place}`,
          `expected a document of the pack, got ${name}`,
          `${nearestName(name, names)}there are ${names.join(", ")}`,
        );
  }
}

function bothReadError(read: ReadProfile, at: string, what: string): TouchstoneError {
  return fault(
    read,
    at,
    `${what} is accepted and rejected at once`,
    "leave it out of one of them, or say more of the body in one: present, absent or equal",
  );
}

/** A condition without its statuses. */
function withoutStatus({ present, absent, equal: values = {} }: AnswerCondition): Json {
  return { present: present ?? null, absent: absent ?? null, equal: values };
}

function sharedStatus(one: readonly number[] = [], other: readonly number[] = []): number | undefined {
  return one.find((status) => other.includes(status));
}

/** Throws a usage error for a timeout, a token, a kind, a discretion or an answer that names an unknown document. */
function refuseUnknownDocuments(read: ReadProfile, documents: readonly Document[]): void {
  const { timeouts = [], tokens = [], kinds = [], discretion = [] } = read.profile;
  const there = documents.map(({ name }) => name);
  const named: [at: string, name: string][] = [
    ...timeouts.flatMap(({ documents: all }, index) =>
      all.map((name, i) => placeName(`timeouts/${index}/documents/${i}`, name)),
    ),
    ...tokens.flatMap(({ documents: all }, index) =>
      all.map((name, i) => placeName(`tokens/${index}/documents/${i}`, name)),
    ),
    ...discretion.flatMap(({ documents: all = [] }, index) =>
      all.map((name, i) => placeName(`discretion/${index}/documents/${i}`, name)),
    ),
    ...kinds.map(({ document }, index) => placeName(`kinds/${index}/document`, document)),
    ...read.profile.documents.flatMap(({ answer: { document, envelope, refusal } = {} }, index) =>
      Object.entries({ document, envelope, refusal }).flatMap(([member, name]) =>
        name === undefined ? [] : [placeName(`documents/${index}/answer/${member}`, name)],
      ),
    ),
  ];
  for (const [place, name] of named)
    if (!there.includes(name))
      throw fault(
        read,
        place,
        `unknown document "${name}"`,
        `${nearestName(name, there)}there are ${there.join(", ")}`,
      );
}

/** Throws a usage error for an answer or a discretion that names an unknown rule. */
export function mustRule(read: ReadProfile, rules: readonly string[]): void {
  const { documents, discretion = [] } = read.profile;
  const named = [
    ...documents.flatMap(({ answer }, index) =>
      answer === undefined ? [] : [[`/documents/${index}/answer/rule`, answer.rule] as const],
    ),
    ...discretion.map(({ rule }, index) => [`/discretion/${index}/rule`, rule] as const),
  ];
  for (const [at, rule] of named)
    if (!rules.includes(rule))
      throw fault(
        read,
        at,
        `the pack has no rule ${rule}`,
        `${nearestName(rule, rules)}write its statement into rules/*.yaml`,
      );
}

function placeName(path: string, name: string): [string, string] {
  return [`/${path}`, name];
}

/** The schema files that a profile names, as paths. */
export function filesOf({ folder, profile }: ReadProfile): string[] {
  return profile.documents.flatMap(({ file }) => (file === undefined ? [] : [join(folder, file)]));
}

function documentFrom(
  read: ReadProfile,
  document: DocumentFile,
  index: number,
  ids: ReadonlyMap<string, string>,
): Document {
  const at = `/documents/${index}`;
  const path = document.file === undefined ? pathOf(read, document, at, ids) : join(read.folder, document.file);
  const id = ids.get(path) as string;
  if (document.schema !== undefined && document.schema !== id)
    throw fault(read, `${at}/schema`, `${document.file} calls itself ${id}`, `write "${id}", or leave it out`);
  const name = document.name ?? nameOf(path);
  if (name === "") throw fault(read, at, `the file ${basename(path)} gives the document no name`, 'add a "name"');
  const { endpoint, ...others } = document;
  return {
    title: name,
    standalone: true,
    role: "entry",
    ...others,
    name,
    schema: id,
    file: path.slice(read.folder.length + 1),
    ...(endpoint === undefined ? {} : { endpoint: endpointFrom(read, endpoint, `${at}/endpoint`) }),
  };
}

function endpointFrom(read: ReadProfile, given: string | Endpoint, at: string): Endpoint {
  const endpoint = typeof given === "string" ? { method: "POST" as const, path: given } : given;
  const part = endpoint.described === undefined ? unfilledPart(endpoint) : undefined;
  if (part === undefined) return withPathParts(endpoint);
  const parameters = `"given": { "parameters": { "path": { "${part}": "…" } } }`;
  throw fault(read, at, `nothing fills {${part}} of the path ${endpoint.path}`, `give its value: ${parameters}`);
}

function pathOf(read: ReadProfile, document: DocumentFile, at: string, ids: ReadonlyMap<string, string>): string {
  const { schema } = document;
  const found = [...ids].find(([, id]) => id === schema);
  if (found !== undefined) return found[0];
  if (schema === undefined)
    throw fault(
      read,
      at,
      `the document "${document.name}" has neither file nor schema`,
      'add "file": "schemas/NAME.schema.json"',
    );
  const near = nearestName(String(schema), [...ids.values()]);
  throw fault(read, `${at}/schema`, `no schema of the pack has the $id ${schema}`, `${near}or name its "file"`);
}

/** `Order_Line.schema.json` gives `order-line`, and `shop.json#/$defs/Order` gives `order`. */
export function nameOf(path: string): string {
  const [file, part] = path.split("#", 2);
  if (part !== undefined) return kebabWithCapitals(split(part).last, { keepDots: true });
  const stem = basename(file as string, extname(file as string)).replace(/\.schema$/i, "");
  return kebab(stem, { keepDots: true });
}

/** The error for a value at a JSON Pointer in a profile. */
export function fault(
  { file, text }: Pick<ReadProfile, "file" | "text">,
  at: string,
  what: string,
  hint: string,
): TouchstoneError {
  return new TouchstoneError("usage", what, { where: placeOf(file, text, { at }), hint });
}

/** The position of a document in a profile, as `FILE:LINE`. */
export function lineIn({ file, text }: Pick<ReadProfile, "file" | "text">, index: number): string {
  return `${file}:${text.locate(`/documents/${index}`).line}`;
}
