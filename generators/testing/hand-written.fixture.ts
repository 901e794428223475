import { equal, isObject, type Json, type JsonObject, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import { assemble } from "../corpus/assemble.ts";
import { formatHolds } from "../formats/check.ts";
import { isDecimalMultiple } from "../keywords/multiple-of.ts";

// For tests: a simple validator, as people write it by hand, for the keywords in the schemas of tests.

type Visit = (schema: Json, value: Json, at: string) => boolean;

/** Checks one keyword. `asserted` is its value, `at` the location in the instance, `beside` the schema that contains it. */
export type Check = (value: Json, asserted: Json, at: string, beside: JsonObject, visit: Visit) => boolean;

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export const numbers =
  (holds: (value: number, limit: number) => boolean): Check =>
  (value, limit) =>
    typeof value !== "number" || holds(value, limit as number);
export const strings =
  (holds: (value: string, asserted: never) => boolean): Check =>
  (value, asserted) =>
    typeof value !== "string" || holds(value, asserted as never);
export const objects =
  (holds: (value: JsonObject, asserted: never, at: string, beside: JsonObject, visit: Visit) => boolean): Check =>
  (value, asserted, at, beside, visit) =>
    !isObject(value) || holds(value, asserted as never, at, beside, visit);
export const arrays =
  (holds: (value: Json[], asserted: never, at: string, beside: JsonObject, visit: Visit) => boolean): Check =>
  (value, asserted, at, beside, visit) =>
    !Array.isArray(value) || holds(value, asserted as never, at, beside, visit);

export const correctChecks: Readonly<Record<string, Check>> = {
  type: (value, types) =>
    [types as string | string[]]
      .flat()
      .some((type) => (type === "integer" ? Number.isInteger(value) : typeOf(value) === type)),
  enum: (value, values) => (values as Json[]).some((each) => equal(each, value)),
  const: (value, constant) => equal(value, constant),
  minimum: numbers((value, limit) => value >= limit),
  maximum: numbers((value, limit) => value <= limit),
  exclusiveMinimum: numbers((value, limit) => value > limit),
  exclusiveMaximum: numbers((value, limit) => value < limit),
  multipleOf: numbers(isDecimalMultiple),
  minLength: strings((value, least: number) => [...value].length >= least),
  maxLength: strings((value, most: number) => [...value].length <= most),
  pattern: strings((value, source: string) => new RegExp(source, "u").test(value)),
  format: strings((value, name: string) => formatHolds(name, value) !== false),
  minItems: arrays((value, least: number) => value.length >= least),
  maxItems: arrays((value, most: number) => value.length <= most),
  uniqueItems: arrays(
    (value) => !value.some((item, index) => value.slice(0, index).some((other) => equal(item, other))),
  ),
  items: arrays((value, schema: Json, at, _, visit) =>
    value.every((item, index) => visit(schema, item, `${at}/${index}`)),
  ),
  contains: arrays((value, schema: Json, at, { minContains = 1, maxContains = Infinity }, visit) => {
    const { length } = value.filter((item, index) => visit(schema, item, `${at}/${index}`));
    return length >= (minContains as number) && length <= (maxContains as number);
  }),
  required: objects((value, names: string[]) => names.every((name) => Object.hasOwn(value, name))),
  dependentRequired: objects((value, needs: Record<string, string[]>) =>
    Object.entries(needs).every(
      ([name, others]) => !Object.hasOwn(value, name) || others.every((other) => Object.hasOwn(value, other)),
    ),
  ),
  properties: objects((value, schemas: JsonObject, at, _, visit) =>
    Object.entries(schemas).every(
      ([name, schema]) => !Object.hasOwn(value, name) || visit(schema, value[name] as Json, `${at}/${name}`),
    ),
  ),
  patternProperties: objects((value, schemas: JsonObject, at, _, visit) =>
    Object.entries(schemas).every(([source, schema]) =>
      Object.entries(value).every(
        ([name, each]) => !new RegExp(source, "u").test(name) || visit(schema, each, `${at}/${name}`),
      ),
    ),
  ),
  propertyNames: objects((value, schema: Json, at, _, visit) =>
    Object.keys(value).every((name) => visit(schema, name, at)),
  ),
  additionalProperties: objects((value, schema: Json, at, { properties = {}, patternProperties = {} }, visit) =>
    Object.entries(value).every(
      ([name, each]) =>
        Object.hasOwn(properties as JsonObject, name) ||
        Object.keys(patternProperties as JsonObject).some((source) => new RegExp(source, "u").test(name)) ||
        visit(schema, each, `${at}/${name}`),
    ),
  ),
  allOf: (value, schemas, at, _, visit) => (schemas as Json[]).every((schema) => visit(schema, value, at)),
  anyOf: (value, schemas, at, _, visit) => (schemas as Json[]).some((schema) => visit(schema, value, at)),
  oneOf: (value, schemas, at, _, visit) =>
    (schemas as Json[]).filter((schema) => visit(schema, value, at)).length === 1,
  not: (value, schema, at, _, visit) => !visit(schema, value, at),
};

/** Makes a validator of the checks above, some of them replaced by faulty ones. */
export function validator(
  root: JsonObject,
  faultyChecks: Readonly<Record<string, Check>> = {},
): (value: Json) => boolean {
  const checks = new Map(Object.entries({ ...correctChecks, ...faultyChecks }));
  const visit: Visit = (schema, value, at) =>
    isObject(schema)
      ? Object.entries(schema).every(([keyword, asserted]) =>
          keyword === "$ref"
            ? visit(definitionOf(root, asserted as string), value, at)
            : (checks.get(keyword)?.(value, asserted, at, schema, visit) ?? true),
        )
      : schema !== false;
  return (value) => visit(root, value, "");
}

function definitionOf({ $defs = {} }: JsonObject, reference: string): Json {
  return ($defs as JsonObject)[reference.replace("#/$defs/", "")] as Json;
}

const $id = "https://hand-written.test/a";

/** Makes the vectors of a user's schema, except raw and disputed ones. */
export async function vectorsOf(schema: JsonObject): Promise<(Vector & { data: Json })[]> {
  const document = { name: "a", title: "a", schema: $id, file: "a.json", standalone: true, role: "entry" as const };
  const http = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };
  const profileHead = { $schema: "", protocol: "a", version: "1", title: "a", summary: "", formats: "assert" as const };
  const schemas = [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...schema }];
  const protocol: RuledProtocol = {
    name: "a",
    version: "1",
    folder: "",
    foreign: true,
    rules: [],
    families: [],
    schemas,
    profile: { ...profileHead, http, documents: [document] },
  };
  const { files } = await assemble(protocol, document, { foreign: true });
  return files.flatMap(({ kind, file }) =>
    kind === "disputed"
      ? []
      : file.tests.flatMap(({ data, ...rest }) => (data === undefined ? [] : [{ ...rest, data }])),
  );
}
