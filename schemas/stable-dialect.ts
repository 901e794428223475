import { dialects, isSchema } from "./dialect.ts";
import { faultIn } from "./document.ts";
import { isObject, type Json, type JsonObject, setMember } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";

const latestDialect = dialects.at(-1) as (typeof dialects)[number];

/** Whether `$schema` names JSON Schema v1, the first stable dialect. */
export function isStable($schema: Json | undefined): boolean {
  return /^https?:\/\/json-schema\.org\/v1(\/\d+)?#?$/.test(String($schema));
}

/**
 * Translates a schema of JSON Schema v1 to 2020-12, which can express everything except `itemPattern`: for that keyword it throws a usage error
 * with the location.
 */
export function convertStable(file: string, text: Text): JsonObject {
  return { ...(convertSchema({ file, text }, text.value, "") as JsonObject), $schema: latestDialect.uri };
}

/** The file from which a schema was read. */
interface SchemaOrigin {
  file: string;
  text: Text;
}

function convertSchema(origin: SchemaOrigin, value: Json, at: string): Json {
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, "itemPattern"))
    throw faultIn(
      origin,
      append(at, "itemPattern"),
      "itemPattern is not read here: 2020-12, as which the schema is read, cannot say it",
      "say it with prefixItems, items and contains, or leave it out",
    );
  const converted: JsonObject = {};
  const addedSchemas: Json[] = [];
  for (const [keyword, keywordValue] of Object.entries(value)) {
    const keywordPath = append(at, keyword);
    if (keyword === "propertyDependencies" && isObject(keywordValue))
      addedSchemas.push(...convertDependencies(origin, keywordValue, keywordPath));
    else if (keyword === "conditional" && Array.isArray(keywordValue))
      addedSchemas.push(convertConditional(origin, keywordValue, keywordPath));
    else if (keyword === "$dynamicRef" && typeof keywordValue === "string")
      converted.$dynamicRef = `#${keywordValue.replace(/^#/, "")}`;
    else if (keyword !== "requireAllExcept")
      setMember(converted, keyword, convertKeyword(origin, keyword, keywordValue, keywordPath));
  }
  const { requireAllExcept: exceptions, properties, required, allOf } = value;
  if (Array.isArray(exceptions) && isObject(properties)) {
    const names = Object.keys(properties).filter((name) => !exceptions.includes(name));
    const alreadyRequired = Array.isArray(required) ? required : [];
    if (names.length + alreadyRequired.length > 0) converted.required = [...new Set([...alreadyRequired, ...names])];
  }
  if (addedSchemas.length > 0)
    converted.allOf = [...(Array.isArray(allOf) ? (converted.allOf as Json[]) : []), ...addedSchemas];
  return converted;
}

/** Converts the value of a keyword if it contains schemas. Everything else is data. */
function convertKeyword(origin: SchemaOrigin, keyword: string, value: Json, at: string): Json {
  if (latestDialect.single.has(keyword) && isSchema(value)) return convertSchema(origin, value, at);
  if (latestDialect.list.has(keyword) && Array.isArray(value))
    return value.map((item, index) => convertSchema(origin, item, append(at, index)));
  if (!latestDialect.map.has(keyword) || !isObject(value)) return value;
  const entries: JsonObject = {};
  for (const [name, subschema] of Object.entries(value))
    setMember(entries, name, convertSchema(origin, subschema, append(at, name)));
  return entries;
}

function convertDependencies(origin: SchemaOrigin, dependencies: JsonObject, at: string): Json[] {
  return Object.entries(dependencies).flatMap(([name, values]) =>
    Object.entries(isObject(values) ? values : {}).map(([value, schema]): Json => {
      const properties: JsonObject = {};
      setMember(properties, name, { const: value });
      return {
        if: { type: "object", properties, required: [name] },
        then: convertSchema(origin, schema, append(append(at, name), value)),
      };
    }),
  );
}

/** Converts a chain of conditions and consequences, in pairs or one after another. A last step without a partner is the default. */
function convertConditional(origin: SchemaOrigin, chain: readonly Json[], at: string): Json {
  const steps = chain.flatMap((step, index) =>
    Array.isArray(step)
      ? step.map((stepPart, place) => convertSchema(origin, stepPart, append(append(at, index), place)))
      : [convertSchema(origin, step, append(at, index))],
  );
  let otherwise: Json | undefined = steps.length % 2 === 1 ? steps.pop() : undefined;
  for (let index = steps.length - 2; index >= 0; index -= 2)
    otherwise = {
      if: steps[index] as Json,
      then: steps[index + 1] as Json,
      ...(otherwise === undefined ? {} : { else: otherwise }),
    };
  return otherwise ?? true;
}
