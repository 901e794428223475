import { asDoubles } from "./beyond-doubles.ts";
import { type Dialect, dialectName, isStandard } from "./dialect.ts";
import type { SchemaDocument } from "./document.ts";
import { type Graph, type Reference, spotKey } from "./graph.ts";
import type { Json, JsonObject } from "./json.ts";
import { keywordsOf } from "./keywords.ts";
import { standsFor } from "./number-stand-ins.ts";
import { append, at as valueAt } from "./pointer.ts";
import { referenceError, rewritten, type Target } from "./references.ts";
import { metaSchema04, upgrade } from "./upgrade.ts";

/** A keyword for the former neighbours of a `$ref` in a user's schema. No validator knows it, so it has no effect. */
export const besideRef = "x-touchstone-beside-ref";

/** A reference and its target. */
export interface Followed {
  reference: Reference;
  target: Target;
}

/** Keywords that up to draft-07 have no effect beside `$ref`. All others only describe, or contain schemas. */
const idle = [
  "type enum const format multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern",
  "items additionalItems contains maxItems minItems uniqueItems properties patternProperties additionalProperties",
  "propertyNames maxProperties minProperties required dependencies if then else allOf anyOf oneOf not id $id",
].flatMap((line) => line.split(" "));

/**
 * Copies of the documents with an absolute `$id` in each schema, and references that use it, so that validators need no files. Keywords
 * without effect beside `$ref` are removed, and a root that is a reference has it in `allOf`. With `notes`, draft-04 is converted to
 * draft-07, and untranslatable parts are noted.
 */
export function publishSchemas(
  graph: Graph,
  followed: readonly Followed[],
  notes?: string[],
  keepsBeside = false,
): JsonObject[] {
  const copies = new Map(graph.roots.map(({ document }) => [document, structuredClone(document.schema)]));
  for (const { reference, target } of followed) {
    const { from, keyword } = reference;
    const text = rewritten(reference, target);
    if (text !== undefined) set(from.document, from.at, keyword, text);
  }
  for (const { document, at, id, href } of graph.resources.values()) {
    if (at !== "" && (href.startsWith("file:") || isStandard(href) || id !== href))
      set(document, at, document.dialect.id, id);
  }
  for (const { document, at, schema } of graph.spots.values()) {
    const copy = schemaAt(document, at);
    // What stood in a neighbour went with it.
    if (copy === undefined || document.dialect.besideRef || typeof schema.$ref !== "string") continue;
    const left = refer(copy, at === "");
    if (!keepsBeside || Object.keys(left).length === 0) continue;
    copy[besideRef] = left;
    const { line, column } = document.text.locate(at);
    notes?.push(
      `${document.file}:${line}:${column} (#${at}): beside $ref ${Object.keys(left).join(", ")} counts for nothing in ${document.dialect.name}; validators differ, so that what it decides is disputed`,
    );
  }
  for (const { reference, target } of followed) {
    if (schemaAt(target.resource.document, target.at) !== undefined) continue;
    throw referenceError(
      reference,
      "leads to what stands beside a $ref, where nothing counts",
      "move it to definitions",
    );
  }
  for (const { document, at, schema } of graph.spots.values()) {
    const copy = schemaAt(document, at);
    if (copy !== undefined && typeof schema.$schema === "string")
      copy.$schema = spellName(schema.$schema, document.dialect);
    // It lists the vocabularies of a meta-schema, and validators object to unknown vocabularies.
    if (copy !== undefined) delete copy.$vocabulary;
  }
  if (keepsBeside) leaveOutStrange();
  const old = notes === undefined ? [] : [...graph.spots.values()].filter(({ document }) => isOld(document));
  for (const { document, at } of old) {
    const gone = upgrade(schemaAt(document, at) ?? {});
    if (gone.length > 0) notes?.push(`${document.file}#${at}: draft-04 knows no ${gone.join(", ")}`);
  }
  for (const { document, at } of notes === undefined ? [] : graph.spots.values()) {
    const copy = isOld(document) ? undefined : schemaAt(document, at);
    // Some validators refuse the name that it had in draft-04.
    if (typeof copy?.id !== "string") continue;
    delete copy.id;
    notes?.push(`${document.file}#${at}: ${document.dialect.name} knows no id`);
  }
  if (old.length > 0) notes?.unshift("draft-04 is read as draft-07, which can say the same");
  const schemas = graph.roots.map(({ document, id }) => {
    const copy = copies.get(document) as JsonObject;
    const keyword = notes === undefined ? document.dialect.id : "$id";
    return Object.hasOwn(copy, keyword) ? { ...copy, [keyword]: id } : { [keyword]: id, ...copy };
  });
  return old.length === 0 ? schemas : [...schemas, metaSchema04()];

  /** Unknown keywords may contain apparent references, and some validators follow them. Kept in targets of references. */
  function leaveOutStrange(): void {
    const led = new Set(followed.flatMap(({ target }) => prefixes(spotKey(target.resource.document, target.at))));
    for (const { document, at } of graph.spots.values()) {
      const copy = schemaAt(document, at);
      for (const [name, value] of Object.entries(copy ?? {}))
        if (!isKnown(document.dialect, name) && /"\$ref":/.test(JSON.stringify(value)))
          if (!led.has(spotKey(document, append(at, name)))) delete copy?.[name];
    }
  }

  function set(document: SchemaDocument, at: string, keyword: string, text: string): void {
    (schemaAt(document, at) as JsonObject)[keyword] = text;
  }

  function schemaAt(document: SchemaDocument, at: string): JsonObject | undefined {
    return valueAt(at, copies.get(document) as Json) as JsonObject | undefined;
  }
}

/** Whether it is a keyword, or one of ours. Data may look like anything. */
function isKnown(dialect: Dialect, name: string): boolean {
  return (
    name === besideRef ||
    name === asDoubles ||
    name === standsFor ||
    keywordsOf(dialect).has(name) ||
    ["definitions", "$defs"].includes(name)
  );
}

/** A place and those around it. */
function prefixes(key: string): string[] {
  const found = [key];
  for (let end = key.lastIndexOf("/"); end > key.lastIndexOf("#"); end = key.lastIndexOf("/", end - 1))
    found.push(key.slice(0, end));
  return found;
}

/** The dialect's name as it is, unless validators would not know it by that. */
function spellName(name: string, dialect: Dialect): string {
  return name === dialect.uri || name === `${dialect.uri}#` ? name : dialectName(dialect);
}

function isOld({ dialect }: SchemaDocument): boolean {
  return dialect.id === "id";
}

/**
 * Leaves `$ref` alone in its schema, and returns the removed neighbours: for validators that object to them; at the root, for those that
 * would lose them.
 */
function refer(schema: JsonObject, isRoot: boolean): JsonObject {
  const left: JsonObject = {};
  for (const keyword of idle) {
    if (Object.hasOwn(schema, keyword) && keyword !== "id" && keyword !== "$id")
      left[keyword] = schema[keyword] as Json;
    delete schema[keyword];
  }
  if (!isRoot) return left;
  schema.allOf = [{ $ref: schema.$ref as string }];
  delete schema.$ref;
  return left;
}
