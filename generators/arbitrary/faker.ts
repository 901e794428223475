import { type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";

/** Makes the instance for a seed with json-schema-faker. Often valid, but not always; undefined if it fails. */
export type Faker = (seed: number) => Json | undefined;

/** Both bounds are needed, because the library otherwise reads the clock. */
const dateRange = { minDateTime: "2020-01-01T00:00:00Z", maxDateTime: "2030-01-01T00:00:00Z" };

/** Longer lists are drawn only if the schema requires them. */
const maxDrawnItems = 20;
/** A schema that requires longer strings or lists is unsuitable for this library, because each instance would take seconds. */
const maxRequired = 10_000;

/** Sets up json-schema-faker for the schema `id`, with a resolver for the other schemas. The library draws strings as long as `maxLength` and lists as long as `maxItems`, so strings are kept under `longest` characters (default 200) if the schema allows more, and lists under 20 items. Throws a usage error if the schema requires far more. */
export async function fakerFor(schemas: readonly JsonObject[], id: string, longest = 200): Promise<Faker> {
  const { generateSync } = await import("json-schema-faker");
  const shortened = new Map(schemas.map((schema) => [identifier(schema), shorten(schema, longest) as JsonObject]));
  const root = shortened.get(id);
  if (root === undefined) throw new TouchstoneError("usage", `there is no schema ${JSON.stringify(id)}`);
  // The library does not say which document contains a reference, so a relative one is found by its file name.
  const refResolver = (reference: string): JsonObject => {
    const address = reference.split("#")[0] as string;
    const file = address.slice(address.lastIndexOf("/") + 1);
    const schema = shortened.get(address) ?? [...shortened].find(([name]) => name.endsWith(`/${file}`))?.[1];
    if (schema === undefined)
      throw new TouchstoneError("usage", `no schema for the reference ${JSON.stringify(reference)}`);
    return schema;
  };
  return (seed) => {
    try {
      return generateSync(root, { ...dateRange, seed, refResolver }) as Json;
    } catch {
      return undefined;
    }
  };
}

function shorten(schema: Json, longest: number): Json {
  if (Array.isArray(schema)) return schema.map((item) => shorten(item, longest));
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, shorten(value, longest)]));
  const { maxLength, minLength, maxItems, minItems } = copy;
  if ([minLength, minItems].some((each) => typeof each === "number" && each > maxRequired))
    throw new TouchstoneError("usage", `the schema needs more than ${maxRequired} characters or items`, {
      hint: "use arbitraryFor, which is quick for long texts and lists",
    });
  if (typeof maxItems === "number") copy.maxItems = Math.min(maxItems, Math.max(maxDrawnItems, Number(minItems ?? 0)));
  if (typeof maxLength === "number") copy.maxLength = Math.min(maxLength, Math.max(longest, Number(minLength ?? 0)));
  return copy;
}
