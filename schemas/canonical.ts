import canonicalize from "canonicalize";
import { TouchstoneError } from "./error.ts";
import type { Json, JsonObject } from "./json.ts";

/** Canonical JSON text (RFC 8785). Throws a usage error for a lone surrogate, a number too large for a double, and a value nested too deeply. */
export function canonical(value: Json): string {
  try {
    return canonicalize(value) as string;
  } catch (cause) {
    const why = cause instanceof RangeError ? "it is nested too deeply" : (cause as Error).message;
    throw new TouchstoneError("usage", `there is no canonical form: ${why}`, {
      hint: "numbers are those of IEEE 754 doubles, texts are Unicode, and nesting has an end",
      cause,
    });
  }
}

/** Cached, because the documents of a set share most of their schemas. */
const canonicalTexts = new WeakMap<JsonObject, string>();

/** The canonical text of a list of schemas, which must not change: the text of each schema is cached. */
export function canonicalSchemas(schemas: readonly JsonObject[]): string {
  const texts = schemas.map((schema) => {
    const text = canonicalTexts.get(schema) ?? canonical(schema);
    canonicalTexts.set(schema, text);
    return text;
  });
  return `[${texts.join(",")}]`;
}
