import { pathToFileURL } from "node:url";
import { type Dialect, dialectOf, dialects, isSchema } from "./dialect.ts";
import { TouchstoneError } from "./error.ts";
import { type Json, type JsonObject, typeOf } from "./json.ts";
import { nearestName } from "./nearest-name.ts";
import { append } from "./pointer.ts";
import type { Text } from "./text-place.ts";

/** A schema document as it was read from a file. */
export interface SchemaDocument {
  /** The real path, and the displayed path. */
  path: string;
  file: string;
  text: Text;
  schema: JsonObject;
  dialect: Dialect;
  /** Whether the text has a `$schema`. */
  named: boolean;
}

/** Converts a text to a document. Throws a usage error for a text that is not a schema, and for an unknown dialect. */
export function documentOf(path: string, file: string, text: Text): SchemaDocument {
  const { value } = text;
  if (!isSchema(value)) {
    throw faultIn(
      { file, text },
      "",
      `expected a schema (an object or a boolean), got a value of type ${typeOf(value)}`,
    );
  }
  // A boolean cannot contain an `$id`, so it becomes the equivalent object.
  const booleanSchema: JsonObject = value === true ? {} : { not: {} };
  const schema: JsonObject = typeof value === "object" ? value : booleanSchema;
  refuseInfinite({ file, text });
  const dialect = dialectOf(schema.$schema);
  if (dialect !== undefined) {
    return { path, file, text, schema, dialect, named: Object.hasOwn(schema, "$schema") };
  }
  const uris = dialects.map(({ uri }) => uri);
  throw faultIn(
    { file, text },
    "/$schema",
    `the dialect ${JSON.stringify(schema.$schema)} is not known`,
    `${typeof schema.$schema === "string" ? nearestName(schema.$schema, uris) : ""}known dialects: ${uris.join(", ")}`,
  );
}

/** Throws a usage error for the first number that is too large for a double: JavaScript reads it as infinite, which JSON cannot express. */
function refuseInfinite({ file, text }: Pick<SchemaDocument, "file" | "text">): void {
  const unvisited: { value: Json; at: string }[] = [{ value: text.value, at: "" }];
  for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
    const { value, at } = next;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      throw faultIn({ file, text }, at, "the number is too large for a double", "write one below 1.8e308");
    if (typeof value === "object" && value !== null)
      for (const [name, child] of Object.entries(value).reverse())
        unvisited.push({ value: child, at: append(at, name) });
  }
}

/** The `file:` URI of a document, the base of every `$id` in it. */
export function addressOf({ path }: SchemaDocument): string {
  return pathToFileURL(path).href;
}

/** The error for a value at a JSON Pointer in a file. */
export function faultIn(
  { file, text }: Pick<SchemaDocument, "file" | "text">,
  at: string,
  what: string,
  hint?: string,
): TouchstoneError {
  const { line, column } = text.locate(at);
  const origin = text.origin?.(at) ?? { file, at };
  return new TouchstoneError("usage", what, {
    where: `${origin.file}:${line}:${column}${origin.at === "" ? "" : ` (#${origin.at})`}`,
    ...(hint === undefined ? {} : { hint }),
  });
}
