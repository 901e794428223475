import { dialects, isSchema } from "./dialect.ts";
import { faultIn } from "./document.ts";
import { isObject, type Json, type JsonObject, setMember } from "./json.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";

const latestDialect = dialects.at(-1) as (typeof dialects)[number];

/** Whether a dialect's name is that of JSON Schema v1, the first that is to stay. */
export function isStable($schema: Json | undefined): boolean {
  return /^https?:\/\/json-schema\.org\/v1(\/\d+)?#?$/.test(String($schema));
}

/**
 * Translates a schema of JSON Schema v1 to 2020-12, which can express everything except `itemPattern`. For that it throws a usage error with
 * the location.
 */
export function fromStable(file: string, text: Text): JsonObject {
  return { ...(convertSchema({ file, text }, text.value, "") as JsonObject), $schema: latestDialect.uri };
}

/** The file that a schema is from. */
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
  const into: JsonObject = {};
  const all: Json[] = [];
  for (const [keyword, each] of Object.entries(value)) {
    const there = append(at, keyword);
    if (keyword === "propertyDependencies" && isObject(each)) all.push(...convertDependencies(origin, each, there));
    else if (keyword === "conditional" && Array.isArray(each)) all.push(convertConditional(origin, each, there));
    else if (keyword === "$dynamicRef" && typeof each === "string") into.$dynamicRef = `#${each.replace(/^#/, "")}`;
    else if (keyword !== "requireAllExcept") setMember(into, keyword, convertKeyword(origin, keyword, each, there));
  }
  const { requireAllExcept: except, properties, required, allOf } = value;
  if (Array.isArray(except) && isObject(properties)) {
    const names = Object.keys(properties).filter((name) => !except.includes(name));
    const before = Array.isArray(required) ? required : [];
    if (names.length + before.length > 0) into.required = [...new Set([...before, ...names])];
  }
  if (all.length > 0) into.allOf = [...(Array.isArray(allOf) ? (into.allOf as Json[]) : []), ...all];
  return into;
}

/** The value of a keyword: schemas are rewritten, everything else is data. */
function convertKeyword(origin: SchemaOrigin, keyword: string, value: Json, at: string): Json {
  if (latestDialect.single.has(keyword) && isSchema(value)) return convertSchema(origin, value, at);
  if (latestDialect.list.has(keyword) && Array.isArray(value))
    return value.map((each, index) => convertSchema(origin, each, append(at, index)));
  if (!latestDialect.map.has(keyword) || !isObject(value)) return value;
  const entries: JsonObject = {};
  for (const [name, each] of Object.entries(value))
    setMember(entries, name, convertSchema(origin, each, append(at, name)));
  return entries;
}

function convertDependencies(origin: SchemaOrigin, given: JsonObject, at: string): Json[] {
  return Object.entries(given).flatMap(([name, values]) =>
    Object.entries(isObject(values) ? values : {}).map(([value, schema]): Json => {
      const when: JsonObject = {};
      setMember(when, name, { const: value });
      return {
        if: { type: "object", properties: when, required: [name] },
        then: convertSchema(origin, schema, append(append(at, name), value)),
      };
    }),
  );
}

/** A chain of conditions and consequences, in pairs or one after another, with the default last. */
function convertConditional(origin: SchemaOrigin, given: readonly Json[], at: string): Json {
  const flat = given.flatMap((each, index) =>
    Array.isArray(each)
      ? each.map((inner, place) => convertSchema(origin, inner, append(append(at, index), place)))
      : [convertSchema(origin, each, append(at, index))],
  );
  let otherwise: Json | undefined = flat.length % 2 === 1 ? flat.pop() : undefined;
  for (let index = flat.length - 2; index >= 0; index -= 2)
    otherwise = {
      if: flat[index] as Json,
      then: flat[index + 1] as Json,
      ...(otherwise === undefined ? {} : { else: otherwise }),
    };
  return otherwise ?? true;
}
