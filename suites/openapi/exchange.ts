import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { mediaTypes } from "./media.ts";
import { type Operation, operationsOf } from "./operation.ts";
import { waysOf } from "./parameters.ts";
import { choicesOf } from "./security.ts";
import { below, objectAt, type SourcePlace, type Sources, valueAt } from "./source.ts";

/**
 * What a description says of the form of requests or answers beside the schemas of their bodies and parameters, as a schema of its own, so that two
 * versions can be compared. An instance tells one exchange: `{"header authorization: bearer": true, "content-type": "application/json"}`,
 * `{"style": "form", "explode": true}` or `{"status": 200, "content-type": "application/json"}`.
 */
export interface Exchange {
  /** Its name, which begins with the name of its operation. */
  name: string;
  operation: Operation;
  schema: JsonObject;
  place: SourcePlace;
  /** Whether it says something of what both versions have, and nothing where one lacks it. */
  isShared: boolean;
}

/** The form of the requests and answers of every operation. */
export function exchangesOf(sources: Sources): Exchange[] {
  return operationsOf(sources).flatMap((operation) => [
    request(sources, operation),
    ...written(sources, operation),
    ...answers(sources, operation),
  ]);
}

const made = (
  operation: Operation,
  suffix: string,
  place: SourcePlace,
  schema: JsonObject,
  isShared = false,
): Exchange => ({ name: `${operation.name}.${suffix}`, operation, schema, place, isShared });

/** Credentials, each a member of its own, and the media type of the body. Where none are demanded, a request may show any. */
function request(sources: Sources, operation: Operation): Exchange {
  const choices = choicesOf(sources, operation);
  const body = objectAt(sources, below(operation.place, "requestBody"));
  const types = body === undefined ? [] : mediaTypes(body.value).map(([type]) => bare(type));
  const isNeeded = types.length > 0 && body?.value.required === true;
  return made(operation, "request", operation.place, {
    type: "object",
    ...(types.length === 0 ? {} : { properties: { "content-type": typed(types) } }),
    required: [...(choices.length === 1 ? choices : []), ...(isNeeded ? ["content-type"] : [])],
    ...(choices.length > 1 ? { anyOf: choices.map((choice) => ({ required: [choice] })) } : {}),
  });
}

/** How each parameter is written. Those of the path go by their place in it: their names are not sent. */
function written(sources: Sources, operation: Operation): Exchange[] {
  const inPath = pathNames(operation);
  return waysOf(operation).map(({ place, way: { in: where, name, style, explode } }) => {
    const called = where === "path" ? `${inPath.indexOf(name) + 1}` : name;
    const properties: JsonObject = {
      style: { const: style },
      ...(hasParts(sources, place) ? { explode: { const: explode } } : {}),
    };
    const schema = { type: "object", properties, required: Object.keys(properties) };
    return made(operation, `parameters.${where}.${called}`, place, schema, true);
  });
}

/** Whether a parameter is a list or an object: of anything else `explode` says nothing. */
function hasParts(sources: Sources, parameter: SourcePlace): boolean {
  const place = below(parameter, "schema");
  const type = isObject(valueAt(place)) ? objectAt(sources, place)?.value.type : undefined;
  return [type].flat().some((each) => each === "array" || each === "object");
}

/**
 * Statuses below 400 with their media types, in one schema; the media types of each other status that is named, by themselves: whoever knows no
 * such status takes it for 400 or 500 (RFC 9110, 15).
 */
function answers(sources: Sources, operation: Operation): Exchange[] {
  const responses = objectAt(sources, below(operation.place, "responses"));
  if (responses === undefined) return [];
  const statuses = Object.keys(responses.value).filter((each) => /^([1-5]\d\d|[1-5]XX|default)$/i.test(each));
  const single = statuses.filter((each) => /^\d+$/.test(each)).map(Number);
  const carried = (status: string): JsonObject => {
    const response = objectAt(sources, below(responses.place, status));
    const types = mediaTypes(response?.value ?? {}).map(([type]) => bare(type));
    return types.length === 0
      ? { properties: { "content-type": false } }
      : { properties: { "content-type": typed(types) }, required: ["content-type"] };
  };
  const ranges = statuses.filter((each) => /^[1-5]XX$/i.test(each)).map((each) => Number(each[0]) * 100);
  const branch = (status: string): JsonObject => {
    const first = Number(status[0]) * 100;
    const which: JsonObject = /^\d+$/.test(status)
      ? { const: Number(status) }
      : /XX$/i.test(status)
        ? { minimum: first, maximum: first + 99, not: { enum: inside(single, first) } }
        : { minimum: 100, maximum: 399, not: { anyOf: [{ enum: [0, ...single] }, ...ranges.map(range)] } };
    const { properties, ...rest } = carried(status) as { properties: JsonObject };
    return { ...rest, properties: { status: which, ...properties } };
  };
  const known = statuses.filter((each) => !/^[45]/.test(each));
  const refusals = statuses.filter((each) => /^[45]/.test(each));
  return [
    made(operation, "answers", responses.place, {
      ...{ type: "object", required: ["status"], properties: { status: { type: "integer" } } },
      anyOf: known.length === 0 ? [false] : known.map(branch),
    }),
    ...refusals.map((status) =>
      made(operation, `answers-${status.toLowerCase()}`, below(responses.place, status), carried(status), true),
    ),
  ];
}

const range = (first: number): JsonObject => ({ minimum: first, maximum: first + 99 });

/** Those of a hundred, and one that is no status: the list of an `enum` is never empty. */
function inside(statuses: readonly number[], first: number): Json[] {
  return [0, ...statuses.filter((each) => each >= first && each < first + 100)];
}

/** Media types of which some may be ranges, such as `image/*`. */
function typed(types: readonly string[]): JsonObject {
  const ranges = types.filter((type) => type.includes("*"));
  if (ranges.length === 0) return { enum: [...new Set(types)] };
  const pattern = (type: string): string => `^${type.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]+")}$`;
  return {
    anyOf: [{ enum: [...new Set(types)] }, ...ranges.map((type) => ({ type: "string", pattern: pattern(type) }))],
  };
}

/** A media type without its parameters. */
function bare(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The names of the parameters in a path, in their order. */
export function pathNames({ path }: Pick<Operation, "path">): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);
}

/** What an operation is called by on the wire, whatever it and its parameters are named. */
export function addressOf({ method, path }: Pick<Operation, "method" | "path">): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`;
}
