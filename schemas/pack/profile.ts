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

/** A profile as read from its file. */
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
  const { $schema = "", version = "1", http = {}, documents, ...declaredMembers } = read.profile;
  const protocol = declaredMembers.protocol ?? kebab(basename(read.folder));
  if (protocol === "")
    throw profileFault(
      read,
      "",
      `the folder "${basename(read.folder)}" gives the protocol no name`,
      'add "protocol": "NAME"',
    );
  const { accepted = [{ status: successStatuses }], rejected = [{ status: [400, 422] }], ...otherHttpMembers } = http;
  const completeDocuments = documents.map((document, index) => documentFrom(read, document, index, ids));
  for (const [index, { name }] of completeDocuments.entries())
    if (completeDocuments.findIndex((document) => document.name === name) < index)
      throw profileFault(
        read,
        `/documents/${index}`,
        `there is already a document "${name}"`,
        'give it its own "name"',
      );
  refuseUnknownDocuments(read, completeDocuments);
  refuseOverlappingAnswers(read);
  refuseUselessClosed(read, completeDocuments);
  refuseUnknownFeatures(read, completeDocuments);
  return {
    $schema,
    protocol,
    version,
    title: protocol,
    summary: "",
    formats: "annotate",
    ...declaredMembers,
    documents: completeDocuments,
    http: { ...otherHttpMembers, accepted, rejected },
  };
}

/** Throws a usage error for a reading that lifts an unknown assertion, or sets it to its present value or to an impossible one. */
export function refuseInvalidLifts(read: ReadProfile, schemas: readonly JsonObject[]): void {
  for (const { name, lift, place } of liftsIn(read.profile)) {
    const [id = "", path = ""] = placeOfLift(lift).split("#", 2);
    const schema = schemas.find(({ $id }) => String($id).replace(/#$/, "") === id);
    if (schema !== undefined && path !== "" && has(path, schema)) {
      if (typeof lift !== "string") checkPartialLift(read, lift, { schema, path, name, place });
      continue;
    }
    const ids = schemas.map(({ $id }) => String($id));
    throw profileFault(
      read,
      place,
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
}: Pick<Profile, "contradictions">): { name: string; lift: string | PartialLift; place: string }[] {
  return contradictions.flatMap(({ readings }, index) =>
    readings.flatMap(({ name, lifts = [] }, readingIndex) =>
      lifts.map((lift, liftIndex) => ({
        name,
        lift,
        place: `/contradictions/${index}/readings/${readingIndex}/lifts/${liftIndex}`,
      })),
    ),
  );
}

/** Throws a usage error if a reading sets an assertion to its present value, or to a value that its keyword does not allow. */
function checkPartialLift(
  read: ReadProfile,
  { to }: PartialLift,
  { schema, path, name, place }: { schema: JsonObject; path: string; name: string; place: string },
): void {
  const shownValue = JSON.stringify(to);
  if (equal(to, valueAt(path, schema) as Json))
    throw profileFault(
      read,
      `${place}/to`,
      `the reading "${name}" gives ${path} the value that it has, and lifts nothing`,
      "give the value that it has under the reading",
    );
  const dialect = dialectOf(schema.$schema) ?? (dialects.at(-1) as Dialect);
  const [valueFault] = misshapenSchema({ dialect, schema: withValue(schema, segments(path), to) as JsonObject }, "");
  if (valueFault !== undefined)
    throw profileFault(
      read,
      `${place}/to`,
      `${path} cannot be ${shownValue} under the reading "${name}"`,
      `see ${dialect.uri}`,
    );
}

/** Copies a value, and replaces the value at one location. */
function withValue(within: Json, [first, ...rest]: readonly string[], value: Json): Json {
  if (first === undefined) return value;
  if (Array.isArray(within)) return within.with(Number(first), withValue(within[Number(first)] as Json, rest, value));
  return isObject(within) ? { ...within, [first]: withValue(within[first] as Json, rest, value) } : within;
}

/** Throws a usage error if an answer can be both accepted and rejected, and neither condition is more specific. */
function refuseOverlappingAnswers(read: ReadProfile): void {
  const { http: { accepted = [], rejected = [], reason } = {}, documents } = read.profile;
  for (const [index, condition] of accepted.entries()) {
    const at = `/http/accepted/${index}`;
    const overlapping = rejected.find(
      (otherCondition) =>
        equal(withoutStatus(condition), withoutStatus(otherCondition)) &&
        sharedStatus(condition.status, otherCondition.status),
    );
    if (overlapping !== undefined)
      throw bothReadError(read, at, `status ${sharedStatus(condition.status, overlapping.status)}`);
    const code = reason?.code === undefined ? undefined : condition.equal?.[reason.code];
    if (code !== undefined && reason?.codes?.some((refusalCode) => equal(refusalCode, code)))
      throw profileFault(
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
    const shared = paths.filter((candidate, at) => paths.indexOf(candidate) < at);
    if (!shared.includes(path))
      throw profileFault(
        read,
        `/http/closed/${index}`,
        `expected a path of several documents, got ${path}`,
        shared.length === 0
          ? "leave it out: each path has one document"
          : `${nearestName(path, shared)}there are ${[...new Set(shared)].join(", ")}`,
      );
  }
}

/** Throws a usage error for a feature of an unknown document, or a feature that depends on a document that is not published. */
function refuseUnknownFeatures(read: ReadProfile, documents: readonly Document[]): void {
  const { features = [], publishes = {} } = read.profile.http ?? {};
  const names = documents.map(({ name }) => name);
  for (const [index, feature] of features.entries()) {
    const at = `/http/features/${index}`;
    const dependenceProblem = dependenceFault(feature, Object.keys(publishes));
    if (dependenceProblem !== undefined)
      throw profileFault(read, `${at}${dependenceProblem.at}`, dependenceProblem.what, dependenceProblem.hint);
    for (const [place, name] of feature.documents.entries())
      if (!names.includes(name))
        throw profileFault(
          read,
          `${at}/documents/${place}`,
          `expected a document of the pack, got ${name}`,
          `${nearestName(name, names)}there are ${names.join(", ")}`,
        );
  }
}

function bothReadError(read: ReadProfile, at: string, what: string): TouchstoneError {
  return profileFault(
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

function sharedStatus(
  firstStatuses: readonly number[] = [],
  secondStatuses: readonly number[] = [],
): number | undefined {
  return firstStatuses.find((status) => secondStatuses.includes(status));
}

/** Throws a usage error for a timeout, a token, a kind, a discretion or an answer that names an unknown document. */
function refuseUnknownDocuments(read: ReadProfile, documents: readonly Document[]): void {
  const { timeouts = [], tokens = [], kinds = [], discretion = [] } = read.profile;
  const knownDocuments = documents.map(({ name }) => name);
  const namedDocuments: [at: string, name: string][] = [
    ...timeouts.flatMap(({ documents: documentNames }, index) =>
      documentNames.map((name, position) => placeName(`timeouts/${index}/documents/${position}`, name)),
    ),
    ...tokens.flatMap(({ documents: documentNames }, index) =>
      documentNames.map((name, position) => placeName(`tokens/${index}/documents/${position}`, name)),
    ),
    ...discretion.flatMap(({ documents: documentNames = [] }, index) =>
      documentNames.map((name, position) => placeName(`discretion/${index}/documents/${position}`, name)),
    ),
    ...kinds.map(({ document }, index) => placeName(`kinds/${index}/document`, document)),
    ...read.profile.documents.flatMap(({ answer: { document, envelope, refusal } = {} }, index) =>
      Object.entries({ document, envelope, refusal }).flatMap(([member, name]) =>
        name === undefined ? [] : [placeName(`documents/${index}/answer/${member}`, name)],
      ),
    ),
  ];
  for (const [place, name] of namedDocuments)
    if (!knownDocuments.includes(name))
      throw profileFault(
        read,
        place,
        `unknown document "${name}"`,
        `${nearestName(name, knownDocuments)}there are ${knownDocuments.join(", ")}`,
      );
}

/** Throws a usage error for an answer or a discretion that names an unknown rule. */
export function refuseUnknownRules(read: ReadProfile, rules: readonly string[]): void {
  const { documents, discretion = [] } = read.profile;
  const namedRules = [
    ...documents.flatMap(({ answer }, index) =>
      answer === undefined ? [] : [[`/documents/${index}/answer/rule`, answer.rule] as const],
    ),
    ...discretion.map(({ rule }, index) => [`/discretion/${index}/rule`, rule] as const),
  ];
  for (const [at, rule] of namedRules)
    if (!rules.includes(rule))
      throw profileFault(
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
    throw profileFault(read, `${at}/schema`, `${document.file} calls itself ${id}`, `write "${id}", or leave it out`);
  const name = document.name ?? nameOf(path);
  if (name === "")
    throw profileFault(read, at, `the file ${basename(path)} gives the document no name`, 'add a "name"');
  const { endpoint, ...otherMembers } = document;
  return {
    title: name,
    standalone: true,
    role: "entry",
    ...otherMembers,
    name,
    schema: id,
    file: path.slice(read.folder.length + 1),
    ...(endpoint === undefined ? {} : { endpoint: endpointFrom(read, endpoint, `${at}/endpoint`) }),
  };
}

function endpointFrom(read: ReadProfile, entry: string | Endpoint, at: string): Endpoint {
  const endpoint = typeof entry === "string" ? { method: "POST" as const, path: entry } : entry;
  const part = endpoint.described === undefined ? unfilledPart(endpoint) : undefined;
  if (part === undefined) return withPathParts(endpoint);
  const parameters = `"given": { "parameters": { "path": { "${part}": "…" } } }`;
  throw profileFault(read, at, `nothing fills {${part}} of the path ${endpoint.path}`, `give its value: ${parameters}`);
}

function pathOf(read: ReadProfile, document: DocumentFile, at: string, ids: ReadonlyMap<string, string>): string {
  const { schema } = document;
  const schemaFile = [...ids].find(([, id]) => id === schema);
  if (schemaFile !== undefined) return schemaFile[0];
  if (schema === undefined)
    throw profileFault(
      read,
      at,
      `the document "${document.name}" has neither file nor schema`,
      'add "file": "schemas/NAME.schema.json"',
    );
  const suggestion = nearestName(String(schema), [...ids.values()]);
  throw profileFault(
    read,
    `${at}/schema`,
    `no schema of the pack has the $id ${schema}`,
    `${suggestion}or name its "file"`,
  );
}

/** The name of a document by its file: `order-line` for `Order_Line.schema.json`, and `order` for `shop.json#/$defs/Order`. */
export function nameOf(path: string): string {
  const [file, part] = path.split("#", 2);
  if (part !== undefined) return kebabWithCapitals(split(part).last, { keepDots: true });
  const stem = basename(file as string, extname(file as string)).replace(/\.schema$/i, "");
  return kebab(stem, { keepDots: true });
}

/** The error for a value at a JSON Pointer in a profile. */
export function profileFault(
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
