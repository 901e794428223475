import {
  canonical,
  embeddedSchema,
  isObject,
  type Json,
  type JsonObject,
  pointer,
  type Source,
} from "../../../schemas/index.ts";
import { answersOf } from "./answers.ts";
import { bodyOf, examplesIn, withoutReadOnly } from "./body.ts";
import { type Bundled, bundle } from "./bundle.ts";
import { headersOf } from "./headers.ts";
import { type DescriptionKind, kindOf } from "./kind.ts";
import { mediaTypes, plainType } from "./media.ts";
import type { View } from "./one-sided.ts";
import { attempt, type Operation, operationsOf, type Unread } from "./operation.ts";
import { closedParametersOf, type Parameters } from "./parameters.ts";
import { type SecurityRequirement, securityRequirementsOf } from "./security.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources, sourcesOf, valueAt } from "./source.ts";

/** A version of a document, ready to be compared. */
export interface ComparableApi {
  operations: ComparableOperation[];
  /** Names of the parts that are not compared. */
  uncompared: string[];
  /** Why operations (by method and path) or whole paths cannot be read. */
  unreadable: ReadonlyMap<string, string>;
  /** The texts of parts that are not compared. A part is reported only if its text differs. */
  ignoredTexts: ReadonlyMap<string, string>;
}

/** A named schema that is generated when it is compared. `loosen` lists places with a `oneOf` that is read as `anyOf`, because the other version has an `anyOf` there. */
export interface ComparablePart {
  (name: string, loosen?: ReadonlySet<string>): Promise<ComparableSchema>;
  /** JSON Pointers to the places with a `oneOf` that is read as `anyOf`. */
  loosened(): readonly string[];
}

export interface ComparableSchema {
  schemas: readonly JsonObject[];
  id: string;
  samples: readonly Json[];
  notes: readonly string[];
  source(location: string): Source | undefined;
}

/** Schemas by media type; undefined if a body may be anything. */
export type ByType = ReadonlyMap<string, ComparablePart | undefined>;

export interface ComparableAnswer {
  types: ByType;
  headers: readonly string[];
  /** Its headers as an object, with their schemas. */
  headersAs(isIncluded: (name: string) => boolean): ComparablePart;
}

export interface ComparableOperation {
  operation: Operation;
  parameters: Parameters;
  parametersAs: ComparablePart;
  body: { types: ByType; isRequired: boolean; source: Source } | undefined;
  /** The answers by status, as written in the document, in upper case. */
  answers: ReadonlyMap<string, ComparableAnswer>;
  demanded: SecurityRequirement[][];
  /** The place of the operation, or of a part of it. */
  source(...steps: (string | number)[]): Source;
  sourceOf(parameter: { in: string; name: string }): Source;
}

/**
 * Reads a document for a comparison. Its operations get the names of the operations with the same method and path in the other version. Undefined if the document describes messages,
 * not an API. Throws a usage error with file, line and pointer.
 */
export async function comparableApi(path: string, otherVersion?: ComparableApi): Promise<ComparableApi | undefined> {
  const sources = await sourcesOf(path);
  const kind = kindOf(sources.root);
  if (kind.name !== "openapi") return undefined;
  const unread: Unread[] = [];
  const operations = operationsOf(
    sources,
    otherVersion?.operations.map(({ operation }) => operation),
    unread,
  );
  const readableOperations = operations.flatMap(
    (describedOperation) =>
      attempt(unread, `${describedOperation.method} ${describedOperation.path}`, () => {
        const operation = comparableOperation(sources, kind, describedOperation);
        mustBeReadable(sources, kind, describedOperation);
        return operation;
      }) ?? [],
  );
  return {
    operations: readableOperations,
    unreadable: new Map(
      unread.map(({ name, error: { what, where } }) => [name, where === undefined ? what : `${where}: ${what}`]),
    ),
    uncompared: unreadOf(sources, operations),
    ignoredTexts: ignoredParts(sources, operations),
  };
}

/** Throws for a fault in any of its schemas, which are otherwise generated only when needed. */
function mustBeReadable(sources: Sources, kind: DescriptionKind, operation: Operation): void {
  bodyOf(sources, kind, operation);
  const [unread] = answersOf(sources, kind, operation).unread;
  if (unread !== undefined) throw unread.error;
}

function comparableOperation(sources: Sources, kind: DescriptionKind, operation: Operation): ComparableOperation {
  const { place } = operation;
  const parameters = closedParametersOf(sources, kind, operation);
  const request = objectAt(sources, placeBelow(place, "requestBody"));
  const responses = objectAt(sources, placeBelow(place, "responses"));
  const answers = new Map<string, ComparableAnswer>();
  for (const status of Object.keys(responses?.value ?? {})) {
    const answer = responses && objectAt(sources, placeBelow(responses.place, status));
    if (answer === undefined || !/^([1-5]\d\d|[1-5]XX|default)$/i.test(status)) continue;
    const hasNoBody = operation.method === "HEAD" || /^(1..|204|304)$/i.test(status);
    answers.set(status.toUpperCase(), answerOf(sources, kind, answer, hasNoBody));
  }
  const sourceAt = (location: SourcePlace): Source => ({
    file: location.source.file,
    ...location.source.text.locate(location.at),
  });
  return {
    operation,
    parameters,
    answers,
    demanded: securityRequirementsOf(sources, operation),
    parametersAs: comparablePart(
      sources,
      () => parameters.schema,
      () => [parameters.given],
    ),
    body: request && {
      types: typesOf(sources, kind, request, "request"),
      isRequired: request.value.required === true,
      source: sourceAt(request.place),
    },
    source: (...steps) => sourceAt(placeBelow(place, ...steps)),
    sourceOf: ({ in: where, name }) =>
      sourceAt(
        operation.parameters.find(
          ({ value }) => value.in === where && (value.name === name || String(value.name).toLowerCase() === name),
        )?.place ?? place,
      ),
  };
}

type FoundAnswer = { place: SourcePlace; value: JsonObject };

function answerOf(sources: Sources, kind: DescriptionKind, answer: FoundAnswer, hasNoBody: boolean): ComparableAnswer {
  const types = hasNoBody ? new Map() : typesOf(sources, kind, answer, "response");
  const empty = bundle(sources, kind, () => ({ type: "object" }), { view: "response", from: answer.place });
  return {
    // Without a media type, the document leaves the body open.
    types: types.size === 0 ? new Map([["*/*", undefined]]) : types,
    headers: headersOf(sources, kind, answer)?.headers.map(({ name }) => name) ?? [],
    headersAs: (isIncluded) =>
      comparablePart(sources, () => headersOf(sources, kind, answer, isIncluded)?.schema ?? empty),
  };
}

function typesOf(
  sources: Sources,
  kind: DescriptionKind,
  { place, value }: FoundAnswer,
  view: View,
): Map<string, ComparablePart | undefined> {
  return new Map(
    mediaTypes(value).map(([type]) => {
      const media = objectAt(sources, placeBelow(place, "content", type)) as FoundAnswer;
      if (media.value.schema === undefined) return [plainType(type), undefined];
      const makeBundle = (loosen?: ReadonlySet<string>): Bundled =>
        bundle(sources, kind, (write) => write(placeBelow(media.place, "schema"), ""), { view, loosen });
      const examples = ({ marks, text }: Bundled): Json[] =>
        view === "response"
          ? []
          : examplesIn(sources, media).map((example) =>
              withoutReadOnly(example.value, marks, text.value as JsonObject),
            );
      return [plainType(type), comparablePart(sources, makeBundle, examples)];
    }),
  );
}

function comparablePart(
  sources: Sources,
  bundlePart: (loosen?: ReadonlySet<string>) => Bundled,
  samplesOf: (bundled: Bundled) => Json[] = () => [],
): ComparablePart {
  const part = async (name: string, loosen?: ReadonlySet<string>): Promise<ComparableSchema> => {
    const bundled = bundlePart(loosen);
    const { schema, notes } = await embeddedSchema(sources.root.file, bundled.text);
    const id = `schema:/${encodeURIComponent(name)}.schema.json`;
    const source = (location: string): Source | undefined => {
      const at = location.slice(location.indexOf("#") + 1);
      const origin = bundled.text.origin?.(at);
      return origin === undefined ? undefined : { file: origin.file, ...bundled.text.locate(at) };
    };
    return { schemas: [{ ...schema, $id: id }], id, samples: samplesOf(bundled), notes, source };
  };
  return Object.assign(part, { loosened: () => bundlePart().marks.loosened });
}

/** Parts other than schemas that may change the messages of an API, but are not compared. */
function unreadOf({ root }: Sources, operations: readonly Operation[]): string[] {
  const webhooks = pointer.at("/webhooks", root.text.value);
  const knownPlaces = ["path", "query", "header", "cookie"];
  return [
    ...operations.flatMap(({ name, value, parameters }) => [
      ...(isObject(value.callbacks) ? [`callbacks of ${name}`] : []),
      ...parameters
        .filter(({ value }) => !knownPlaces.includes(String(value.in)))
        .map(({ value }) => `parameter ${String(value.name)} of ${name} in ${String(value.in)}`),
    ]),
    ...(isObject(webhooks) ? ["webhooks"] : []),
  ];
}

function ignoredParts(sources: Sources, operations: readonly Operation[]): Map<string, string> {
  const texts = new Map<string, string>();
  const addText = (partName: string, value: Json | undefined): void => {
    if (value !== undefined) texts.set(partName, canonical(value));
  };
  addText("servers", pointer.at("/servers", sources.root.text.value));
  const xml = xmlIn(sources.root.text.value);
  if (xml.length > 0) addText("xml", xml);
  for (const { name, path, place, value, parameters } of operations) {
    const responses = objectAt(sources, placeBelow(place, "responses"));
    for (const status of Object.keys(responses?.value ?? {})) {
      const answer = responses && objectAt(sources, placeBelow(responses.place, status));
      addText(`links of ${status} of ${name}`, answer?.value.links);
    }
    addText(`servers of ${name}`, value.servers);
    addText(`servers of ${path}`, valueAt(placeBelow({ ...place, at: place.at.replace(/\/[^/]*$/, "") }, "servers")));
    for (const { value } of parameters)
      addText(`allowEmptyValue of ${String(value.name)} of ${name}`, value.allowEmptyValue);
    const request = objectAt(sources, placeBelow(place, "requestBody"));
    for (const [type, media] of mediaTypes(request?.value ?? {})) {
      addText(`encoding of ${type} of ${name}`, media.encoding);
      addText(`itemSchema of ${type} of ${name}`, media.itemSchema);
    }
  }
  return texts;
}

/** The `xml` members of a document's schemas, independent of the order of members. */
function xmlIn(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap(xmlIn);
  if (!isObject(value)) return [];
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.flatMap(([name, member]) =>
    name === "xml" && isObject(member) && "type" in value ? [member] : xmlIn(member),
  );
}
