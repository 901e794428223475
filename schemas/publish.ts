import type { SchemaDocument } from "./document.ts";
import type { Graph, Reference } from "./graph.ts";
import type { Json, JsonObject } from "./json.ts";
import { at as valueAt } from "./pointer.ts";
import { broken, rewritten, type Target } from "./references.ts";

/** A reference and where it leads. */
export interface Followed {
  reference: Reference;
  target: Target;
}

/** Keywords that up to draft-07 count for nothing beside `$ref`. What is not named only describes, or holds schemas. */
const idle = [
  "type enum const format multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern",
  "items additionalItems contains maxItems minItems uniqueItems properties patternProperties additionalProperties",
  "propertyNames maxProperties minProperties required dependencies if then else allOf anyOf oneOf not id $id",
].flatMap((line) => line.split(" "));

/**
 * Copies of the documents in which each schema has an absolute `$id`, and each reference leads there by it, so that nobody needs
 * to know of files. What did not count beside `$ref` is gone, and a root that is a reference has it in `allOf`.
 */
export function published(graph: Graph, followed: readonly Followed[]): JsonObject[] {
  const copies = new Map(graph.roots.map(({ document }) => [document, structuredClone(document.schema)]));
  for (const { reference, target } of followed) {
    const { from, keyword } = reference;
    const text = rewritten(reference, target);
    if (text !== undefined) set(from.document, from.at, keyword, text);
  }
  for (const { document, at, id, href } of graph.resources.values()) {
    if (at !== "" && href.startsWith("file:")) set(document, at, document.dialect.id, id);
  }
  for (const { document, at, schema } of graph.spots.values()) {
    const copy = schemaAt(document, at);
    // What stood in a neighbour went with it.
    if (copy === undefined || document.dialect.besideRef || typeof schema.$ref !== "string") continue;
    refer(copy, at === "");
  }
  for (const { reference, target } of followed) {
    if (schemaAt(target.resource.document, target.at) !== undefined) continue;
    throw broken(reference, "leads to what stands beside a $ref, where nothing counts", "move it to definitions");
  }
  return graph.roots.map(({ document, id }) => {
    const copy = copies.get(document) as JsonObject;
    const keyword = document.dialect.id;
    return Object.hasOwn(copy, keyword) ? { ...copy, [keyword]: id } : { [keyword]: id, ...copy };
  });

  function set(document: SchemaDocument, at: string, keyword: string, text: string): void {
    (schemaAt(document, at) as JsonObject)[keyword] = text;
  }

  function schemaAt(document: SchemaDocument, at: string): JsonObject | undefined {
    return valueAt(at, copies.get(document) as Json) as JsonObject | undefined;
  }
}

/** Leaves `$ref` to itself, for validators that would mind its neighbours; at the root, for those that would lose sight of them. */
function refer(schema: JsonObject, isRoot: boolean): void {
  for (const keyword of idle) delete schema[keyword];
  if (!isRoot) return;
  schema.allOf = [{ $ref: schema.$ref as string }];
  delete schema.$ref;
}
