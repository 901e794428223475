import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { type Bundled, bundle } from "./bundle.ts";
import type { DescriptionKind } from "./kind.ts";
import { jsonIn, mediaTypes } from "./media.ts";
import type { Operation } from "./operation.ts";
import { exampleOf } from "./parameters.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";
import type { SchemaMarks } from "./translate.ts";

/** The JSON body that an operation accepts. */
export interface OperationBody {
  type: string;
  /** Whether the request may omit it. */
  optional: boolean;
  schema: Bundled;
  /** The places of examples, with their values. */
  examples: { place: SourcePlace; value: Json }[];
}

/** Reads the body of an operation; undefined if it accepts no JSON. */
export function bodyOf(sources: Sources, kind: DescriptionKind, { place }: Operation): OperationBody | undefined {
  const request = objectAt(sources, placeBelow(place, "requestBody"));
  const type = jsonIn(request?.value.content);
  if (request === undefined || type === undefined) return undefined;
  const media = objectAt(sources, placeBelow(request.place, "content", type));
  if (media?.value.schema === undefined) return undefined;
  const schema = bundle(sources, kind, (write) => write(placeBelow(media.place, "schema"), ""), { view: "request" });
  return { type, optional: request.value.required !== true, schema, examples: examplesIn(sources, media) };
}

/** The media types of a body that cannot be generated, and whether a request must have a body. Undefined if there is no body. */
export function otherBodyOf(
  sources: Sources,
  { place }: Operation,
): { types: string; isRequired: boolean } | undefined {
  const request = objectAt(sources, placeBelow(place, "requestBody"));
  if (request === undefined) return undefined;
  const types = mediaTypes(request.value).map(([type]) => type);
  return { types: types.join(", ") || "without a media type", isRequired: request.value.required === true };
}

export function examplesIn(
  sources: Sources,
  { place, value }: { place: SourcePlace; value: JsonObject },
): OperationBody["examples"] {
  const namedExamples = Object.keys(isObject(value.examples) ? value.examples : {}).flatMap((name) => {
    const example = objectAt(sources, placeBelow(place, "examples", name));
    const data = example?.value.dataValue ?? example?.value.value;
    return example === undefined || data === undefined ? [] : [{ place: example.place, value: data }];
  });
  if (namedExamples.length > 0) return namedExamples;
  const schema = objectAt(sources, placeBelow(place, "schema"));
  const example = exampleOf({ ...value, schema: schema?.value ?? {} });
  return example === undefined
    ? []
    : [
        {
          place: value.example === undefined ? (schema?.place ?? place) : placeBelow(place, "example"),
          value: example,
        },
      ];
}

/** An example without the members that only the server sends. */
export function withoutReadOnly(value: Json, { hidden }: SchemaMarks, schema: JsonObject): Json {
  if (!isObject(value)) return value;
  const places = joinedSchemas(schema);
  const isSent = (name: string): boolean =>
    !places.some((place) => hidden.includes(pointer.append(`${place}/properties`, name)));
  return Object.fromEntries(Object.entries(value).filter(([name]) => isSent(name)));
}

const maxJoined = 1000;

/** JSON Pointers to the schemas that `$ref` and `allOf` join with a schema. */
export function joinedSchemas(schema: JsonObject): string[] {
  const joinedPlaces = new Set([""]);
  for (const at of joinedPlaces) {
    const part = pointer.at(at, schema);
    if (!isObject(part) || joinedPlaces.size > maxJoined) continue;
    if (typeof part.$ref === "string") joinedPlaces.add(part.$ref.slice(1));
    if (Array.isArray(part.allOf)) for (const index of part.allOf.keys()) joinedPlaces.add(`${at}/allOf/${index}`);
  }
  return [...joinedPlaces];
}
