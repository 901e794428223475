import { isObject, type Json, type JsonObject, type Parameter, pointer, setMember } from "../../../schemas/index.ts";
import { type Bundled, bundle } from "./bundle.ts";
import { isKey } from "./keys.ts";
import type { DescriptionKind } from "./kind.ts";
import type { Operation } from "./operation.ts";
import { faultAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";
import { textTypes, withoutEmpty, withWritten } from "./types.ts";
import { isText, otherContent } from "./unmade-values.ts";

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

const places = ["path", "query", "header", "cookie"] as const;
/** Headers that frame a message (RFC 9110, RFC 9112), so their values cannot be chosen freely. */
const framing = new Set([
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
const framingHeaders = new Set(["accept", "content-type", "authorization", ...framing]);

/** Describes the parameters that frame the message. */
export function framingOf(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ name: operation, parameters }) =>
    parameters
      .filter(({ value }) => value.in === "header" && framing.has(String(value.name).toLowerCase()))
      .map(
        ({ value }) =>
          `${operation} is never sent the header parameter "${value.name}": it frames the message, so no value can be chosen for it`,
      ),
  );
}
const styles = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;

/** Reads the parameters of an operation; undefined if it has none. A closed schema refuses all parameters that the document does not name, and has header names in lower case. */
export function parametersOf(sources: Sources, kind: DescriptionKind, operation: Operation): Parameters | undefined;
export function parametersOf(sources: Sources, kind: DescriptionKind, operation: Operation, isClosed: true): Parameters;
export function parametersOf(
  sources: Sources,
  kind: DescriptionKind,
  operation: Operation,
  isClosed = false,
): Parameters | undefined {
  const { parameters, place } = operation;
  const known = parameters
    .filter(
      ({ value }) =>
        places.includes(value.in as "path") &&
        !(value.in === "header" && framingHeaders.has(String(value.name).toLowerCase())) &&
        (isClosed || otherContent(value) === undefined),
    )
    .map(({ place, value }) => {
      const isAny = isClosed && value.in === "header";
      return { place, value: isAny ? { ...value, name: String(value.name).toLowerCase() } : value };
    });
  if (known.length === 0 && !isClosed) return undefined;
  const found: FoundParameters = { required: new Set(), given: {}, examples: [] };
  const schema = bundle(sources, kind, (write) => sectionsOf(known, write, { found, isClosed }), {
    view: "request",
    from: place,
  });
  const schemaValue = schema.text.value as JsonObject;
  for (const { value } of known)
    if (value.content === undefined || Object.keys(isObject(value.content) ? value.content : {}).some(isText))
      withoutEmpty(pointer.at(placeOf(value), schemaValue), schemaValue);
  const all = known.map((each) => ({
    ...parameterOf(each.value, schemaValue),
    ...(isKey(sources, operation, each.value) ? { key: true as const } : {}),
  }));
  for (const { value } of isClosed ? known : []) {
    if (value.content !== undefined) continue;
    const { parent, last } = pointer.split(placeOf(value));
    const section = pointer.at(parent, schemaValue) as JsonObject;
    setMember(section, last, withWritten(section[last], schemaValue) as Json);
  }
  return { parameters: all, schema, ...found };
}

/** The content of a document about parameters other than their schemas. */
type FoundParameters = Pick<Parameters, "required" | "given" | "examples">;

/** The schema of parameters, as an object of objects by location. Adds the other facts about them to `found`. */
function sectionsOf(
  known: readonly Operation["parameters"][number][],
  write: (place: SourcePlace, at: string) => JsonObject | boolean,
  { found, isClosed }: { found: FoundParameters; isClosed: boolean },
): JsonObject {
  const { required } = found;
  const sections: JsonObject = {};
  for (const where of places) {
    const parametersHere = known.filter(({ value }) => value.in === where);
    if (parametersHere.length === 0 && !isClosed) continue;
    const properties: JsonObject = {};
    const must: string[] = [];
    for (const parameter of parametersHere) {
      const name = String(parameter.value.name);
      setMember(properties, name, write(schemaOf(parameter), pointer.append(`/properties/${where}/properties`, name)));
      if (where === "path" || parameter.value.required === true) must.push(name);
      keepExample(parameter, { where, name }, found);
    }
    for (const name of must) required.add(`${where} ${name}`);
    sections[where] = {
      type: "object",
      properties,
      ...(must.length === 0 ? {} : { required: must }),
      ...(isClosed ? { additionalProperties: false } : {}),
    };
  }
  const needed = places.filter((where) => [...required].some((each) => each.startsWith(`${where} `)));
  return { type: "object", properties: sections, ...(needed.length === 0 ? {} : { required: needed }) };
}

function keepExample(
  { place, value }: Operation["parameters"][number],
  { where, name }: { where: string; name: string },
  { given, examples }: FoundParameters,
): void {
  const example = exampleOf(value);
  if (example !== undefined) given[where] = { ...(given[where] as JsonObject), [name]: example };
  const [first] = Object.keys(isObject(value.examples) ? value.examples : {});
  const steps = value.example !== undefined ? ["example"] : first && ["examples", first];
  if (steps) examples.push({ place: placeBelow(place, ...steps), in: where, name });
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
  const named = isObject(first) ? (first.dataValue ?? first.value) : undefined;
  if (named !== undefined) return named;
  const { schema } = value;
  if (!isObject(schema)) return undefined;
  return schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined) ?? schema.default;
}

function placeOf({ in: where, name }: JsonObject): string {
  return pointer.append(`/properties/${where}/properties`, String(name));
}

function parameterOf(parameter: JsonObject, schema: JsonObject): Parameter {
  const { in: where, name, style, explode, content } = parameter;
  const place = where as Parameter["in"];
  const isPlain = Object.keys(isObject(content) ? content : {}).some(isText);
  if (content !== undefined && !isPlain) return { in: place, name: String(name), style: "json", explode: false };
  const usedStyle = (isPlain ? styles[place] : (style ?? styles[place])) as Parameter["style"];
  return {
    in: place,
    name: String(name),
    style: usedStyle,
    // A deep object has only one form.
    explode: usedStyle === "deepObject" || (typeof explode === "boolean" ? explode : usedStyle === "form"),
    ...textTypes(pointer.at(placeOf(parameter), schema), schema),
  };
}
