import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import type { SchemaData } from "./shape.ts";

const maxDepth = 64;
const maxString = 2000;
/** A schema with more members and items is not shown. */
const maxNodes = 20_000;

/** The schemas for the page: those with an address, unless they are too large to be shown. */
export function schemasOf(
  schemas: readonly JsonObject[],
  nameOfSchema: (id: string) => string | undefined = () => undefined,
): SchemaData[] {
  return schemas.flatMap((schema) => {
    if (typeof schema.$id !== "string") return [];
    const budget = { remaining: maxNodes };
    const value = showSchema(schema, 0, budget);
    if (budget.remaining < 0) return [];
    const id = schema.$id.replace(/#$/, "");
    const name = nameOfSchema(id);
    return [{ id: escapeInvisible(id), ...(name === undefined ? {} : { called: escapeInvisible(name) }), value }];
  });
}

function showSchema(value: Json, depth: number, budget: { remaining: number }): Json {
  budget.remaining -= 1;
  if (budget.remaining < 0 || depth > maxDepth) return "…";
  if (typeof value === "string") return escapeInvisible(truncate(value, maxString));
  if (Array.isArray(value)) return value.map((item) => showSchema(item, depth + 1, budget));
  if (!isObject(value)) return value;
  // Built from entries, because a name may be __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [escapeInvisible(name), showSchema(member, depth + 1, budget)]),
  );
}
