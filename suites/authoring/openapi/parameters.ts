import { isObject, type Json, type JsonObject, type Parameter, pointer, setMember } from "../../../schemas/index.ts";
import { type Bundled, bundle } from "./bundle.ts";
import { isIdempotencyKey } from "./keys.ts";
import type { DescriptionKind } from "./kind.ts";
import type { Operation } from "./operation.ts";
import { faultAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";
import { forbidEmptyTexts, textTypes, widenTexts } from "./types.ts";
import { isPlainText, otherContent } from "./unmade-values.ts";

/** The parameters of an operation: how each is written, and a schema of all of them as an object of objects. */
export interface Parameters {
  parameters: Parameter[];
  schema: Bundled;
  /** Examples in the document, by location and name. */
  given: JsonObject;
  /** The places of examples of parameters outside their schemas. */
  examples: { place: SourcePlace; in: string; name: string }[];
  /** The required parameters, as `IN NAME`. */
  required: Set<string>;
}

const locations = ["path", "query", "header", "cookie"] as const;
/** Headers that frame a message (RFC 9110, RFC 9112), so their values cannot be chosen freely. */
const framingHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** OpenAPI ignores declarations of these headers, because other parts of the request determine them. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization", ...framingHeaders]);

/** Describes the parameters that frame the message. */
export function describeFraming(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ name: operation, parameters }) =>
    parameters
      .filter(({ value }) => value.in === "header" && framingHeaders.has(String(value.name).toLowerCase()))
      .map(
        ({ value }) =>
          `${operation} is never sent the header parameter "${value.name}": it frames the message, so no value can be chosen for it`,
      ),
  );
}
const defaultStyles = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;

/** Reads the parameters of an operation; undefined if it has none. */
export function parametersOf(sources: Sources, kind: DescriptionKind, operation: Operation): Parameters | undefined {
  return readParameters(sources, kind, { operation, isClosed: false });
}

/** Reads the parameters of an operation for a comparison. The schema refuses all parameters that the document does not name, and has header names in lower case. */
export function closedParametersOf(sources: Sources, kind: DescriptionKind, operation: Operation): Parameters {
  return readParameters(sources, kind, { operation, isClosed: true }) as Parameters;
}

function readParameters(
  sources: Sources,
  kind: DescriptionKind,
  { operation, isClosed }: { operation: Operation; isClosed: boolean },
): Parameters | undefined {
  const { parameters, place } = operation;
  const knownParameters = parameters
    .filter(
      ({ value }) =>
        locations.includes(value.in as "path") &&
        !(value.in === "header" && ignoredHeaders.has(String(value.name).toLowerCase())) &&
        (isClosed || otherContent(value) === undefined),
    )
    .map(({ place, value }) => {
      const isHeader = isClosed && value.in === "header";
      return { place, value: isHeader ? { ...value, name: String(value.name).toLowerCase() } : value };
    });
  if (knownParameters.length === 0 && !isClosed) return undefined;
  const facts: ParameterFacts = { required: new Set(), given: {}, examples: [] };
  const schema = bundle(sources, kind, (write) => sectionsOf(knownParameters, write, { facts, isClosed }), {
    view: "request",
    from: place,
  });
  const schemaValue = schema.text.value as JsonObject;
  for (const { value } of knownParameters)
    if (value.content === undefined || Object.keys(isObject(value.content) ? value.content : {}).some(isPlainText))
      forbidEmptyTexts(pointer.at(pointerOf(value), schemaValue), schemaValue);
  const writtenParameters = knownParameters.map((parameter) => ({
    ...parameterOf(parameter.value, schemaValue),
    ...(isIdempotencyKey(sources, operation, parameter.value) ? { key: true as const } : {}),
  }));
  for (const { value } of isClosed ? knownParameters : []) {
    if (value.content !== undefined) continue;
    const { parent, last } = pointer.split(pointerOf(value));
    const section = pointer.at(parent, schemaValue) as JsonObject;
    setMember(section, last, widenTexts(section[last], schemaValue) as Json);
  }
  return { parameters: writtenParameters, schema, ...facts };
}

/** The facts about parameters in a document, apart from their schemas. */
type ParameterFacts = Pick<Parameters, "required" | "given" | "examples">;

/** The schema of parameters, as an object of objects by location. Adds the other facts about them to `facts`. */
function sectionsOf(
  knownParameters: readonly Operation["parameters"][number][],
  write: (place: SourcePlace, at: string) => JsonObject | boolean,
  { facts, isClosed }: { facts: ParameterFacts; isClosed: boolean },
): JsonObject {
  const { required } = facts;
  const sections: JsonObject = {};
  for (const location of locations) {
    const sectionParameters = knownParameters.filter(({ value }) => value.in === location);
    if (sectionParameters.length === 0 && !isClosed) continue;
    const properties: JsonObject = {};
    const requiredNames: string[] = [];
    for (const parameter of sectionParameters) {
      const name = String(parameter.value.name);
      setMember(
        properties,
        name,
        write(schemaOf(parameter), pointer.append(`/properties/${location}/properties`, name)),
      );
      if (location === "path" || parameter.value.required === true) requiredNames.push(name);
      keepExample(parameter, { location, name }, facts);
    }
    for (const name of requiredNames) required.add(`${location} ${name}`);
    sections[location] = {
      type: "object",
      properties,
      ...(requiredNames.length === 0 ? {} : { required: requiredNames }),
      ...(isClosed ? { additionalProperties: false } : {}),
    };
  }
  const requiredSections = locations.filter((location) => [...required].some((key) => key.startsWith(`${location} `)));
  return {
    type: "object",
    properties: sections,
    ...(requiredSections.length === 0 ? {} : { required: requiredSections }),
  };
}

function keepExample(
  { place, value }: Operation["parameters"][number],
  { location, name }: { location: string; name: string },
  { given, examples }: ParameterFacts,
): void {
  const example = exampleOf(value);
  if (example !== undefined) given[location] = { ...(given[location] as JsonObject), [name]: example };
  const [firstName] = Object.keys(isObject(value.examples) ? value.examples : {});
  const steps = value.example !== undefined ? ["example"] : firstName && ["examples", firstName];
  if (steps) examples.push({ place: placeBelow(place, ...steps), in: location, name });
}

/** The parameters of an operation without any: there is only one valid request. */
export function noParameters(sources: Sources, kind: DescriptionKind, { place }: Operation): Parameters {
  const schema = bundle(sources, kind, () => ({ type: "object", maxProperties: 0 }), { view: "request", from: place });
  return { parameters: [], schema, given: {}, examples: [], required: new Set() };
}

/** A parameter has a schema, or one media type with a schema. */
function schemaOf({ place, value }: Operation["parameters"][number]): SourcePlace {
  if (value.schema !== undefined) return placeBelow(place, "schema");
  const [type] = Object.keys(isObject(value.content) ? value.content : {});
  if (type === undefined) throw faultAt(place, "the parameter has no schema", 'add one: "schema": {}');
  return placeBelow(place, "content", type, "schema");
}

/** The first example of a parameter in the document. */
export function exampleOf(value: JsonObject): Json | undefined {
  if (value.example !== undefined) return value.example;
  const [first] = Object.values(isObject(value.examples) ? value.examples : {});
  const namedExample = isObject(first) ? (first.dataValue ?? first.value) : undefined;
  if (namedExample !== undefined) return namedExample;
  const { schema } = value;
  if (!isObject(schema)) return undefined;
  return schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined) ?? schema.default;
}

function pointerOf({ in: location, name }: JsonObject): string {
  return pointer.append(`/properties/${location}/properties`, String(name));
}

function parameterOf(parameter: JsonObject, schema: JsonObject): Parameter {
  const { in: location, name, style, explode, content } = parameter;
  const place = location as Parameter["in"];
  const isPlain = Object.keys(isObject(content) ? content : {}).some(isPlainText);
  if (content !== undefined && !isPlain) return { in: place, name: String(name), style: "json", explode: false };
  const usedStyle = (isPlain ? defaultStyles[place] : (style ?? defaultStyles[place])) as Parameter["style"];
  return {
    in: place,
    name: String(name),
    style: usedStyle,
    // A deep object has only one form.
    explode: usedStyle === "deepObject" || (typeof explode === "boolean" ? explode : usedStyle === "form"),
    ...textTypes(pointer.at(pointerOf(parameter), schema), schema),
  };
}
