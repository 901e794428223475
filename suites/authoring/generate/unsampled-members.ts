import { isObject, type Json, type JsonObject, type Protocol } from "../../../schemas/index.ts";

/** Names that say more about a value than its schema does. Readers of the vectors look at these members first. */
const meaningfulName =
  /^(id|uri|url|version|type|name|date|email)$|(_|-|[a-z](?=[A-Z]))(id|uri|url|version|type|name|date|email)$/i;

/** Keywords that show which strings are meant. */
const describingKeywords = [
  "enum",
  "const",
  "format",
  "examples",
  "default",
  "contentEncoding",
  "contentMediaType",
  "$ref",
  "not",
];

/** Keywords with data as values, not schemas. */
const dataKeywords = ["enum", "const", "examples", "default"];

/** The maximum number of members named. */
const maxNamed = 5;

/**
 * Describes which strings in the vectors of a pack are invented, because neither its schemas nor its samples show a value of the member. Undefined if there are none.
 * The members with meaningful names are listed first.
 */
export function describeUnsampled({ schemas, profile }: Pick<Protocol, "schemas" | "profile">): string | undefined {
  const sampledNames = new Set(
    profile.documents.flatMap(({ samples = [] }) => samples.flatMap((sample) => [...namesIn(sample)])),
  );
  const members = schemas.flatMap((schema) => (hasExamples(schema) ? [] : [...freeStringMembers(schema)]));
  const names = [...new Set(members)].filter((name) => !sampledNames.has(name));
  if (names.length === 0) return undefined;
  const orderedNames = [
    ...names.filter((name) => meaningfulName.test(name)),
    ...names.filter((name) => !meaningfulName.test(name)),
  ];
  const hiddenCount = names.length - maxNamed;
  const namesText = `${orderedNames.slice(0, maxNamed).join(", ")}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
  const countText = names.length === 1 ? "1 member has no sample" : `${names.length} members have no sample`;
  return `${countText}: ${namesText}, so the vectors contain invented texts: put valid messages under \`samples\` of a document in profile.json, use \`--sample FILE\` beside \`--schema\`, or write \`examples\` into the schema`;
}

function hasExamples({ examples }: JsonObject): boolean {
  return Array.isArray(examples) && examples.length > 0;
}

/** Yields the string members of a schema that are restricted at most by a length and a pattern. */
function* freeStringMembers(schema: Json): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  if (isObject(schema) && isObject(schema.properties))
    for (const [name, member] of Object.entries(schema.properties)) if (isFreeString(member)) yield name;
  for (const [name, member] of Object.entries(schema))
    if (!dataKeywords.includes(name)) yield* freeStringMembers(member);
}

function isFreeString(schema: Json): boolean {
  return (
    isObject(schema) &&
    [schema.type].flat().includes("string") &&
    !describingKeywords.some((name) => Object.hasOwn(schema, name))
  );
}

function* namesIn(value: Json): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield name;
    yield* namesIn(member);
  }
}
