import { asDoubles } from "./beyond-doubles.ts";
import { type Dialect, isStandard, schemaUriOf } from "./dialect.ts";
import type { SchemaDocument } from "./document.ts";
import { type Graph, type Reference, spotKey } from "./graph.ts";
import type { Json, JsonObject } from "./json.ts";
import { keywordsOf } from "./keywords.ts";
import { exactNumbersKey } from "./number-stand-ins.ts";
import { append, at as valueAt } from "./pointer.ts";
import { type ReferenceTarget, referenceError, rewriteReference } from "./references.ts";
import { widePattern } from "./regex-flavours.ts";
import { metaSchema04, upgradeSchema } from "./upgrade.ts";

/** The keyword that keeps the removed neighbours of a `$ref` in a user's schema. Validators do not know it, so it has no effect. */
export const besideRef = "x-touchstone-beside-ref";

/** A reference and its target. */
export interface Followed {
  reference: Reference;
  target: ReferenceTarget;
}

/** Keywords that have no effect beside `$ref` up to draft-07. All others only describe, or contain schemas. */
const ignoredBesideRef = [
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
  const copies = new SchemaCopies(graph, followed, notes);
  copies.rewriteReferences();
  copies.nameResources();
  copies.removeBesideRef(keepsBeside);
  copies.refuseLostTargets();
  copies.rewriteDialects();
  if (keepsBeside) copies.removeUnknown();
  const isUpgraded = copies.upgradeOld();
  copies.removeOldNames();
  if (isUpgraded) notes?.unshift("draft-04 is read as draft-07, which can say the same");
  return isUpgraded ? [...copies.schemas(), metaSchema04()] : copies.schemas();
}

/** Copies of the documents of a graph, rewritten step by step for validators. */
class SchemaCopies {
  private readonly graph: Graph;
  private readonly followed: readonly Followed[];
  private readonly notes: string[] | undefined;
  private readonly copies: ReadonlyMap<SchemaDocument, Json>;

  constructor(graph: Graph, followed: readonly Followed[], notes: string[] | undefined) {
    this.graph = graph;
    this.followed = followed;
    this.notes = notes;
    this.copies = new Map(graph.roots.map(({ document }) => [document, structuredClone(document.schema)]));
  }

  rewriteReferences(): void {
    for (const { reference, target } of this.followed) {
      const { from, keyword } = reference;
      const text = rewriteReference(reference, target);
      if (text !== undefined) this.set(from.document, from.at, keyword, text);
    }
  }

  /** Gives each resource within a document its absolute name. */
  nameResources(): void {
    for (const { document, at, id, href } of this.graph.resources.values())
      if (at !== "" && (href.startsWith("file:") || isStandard(href) || id !== href))
        this.set(document, at, document.dialect.id, id);
  }

  /** Removes keywords that have no effect beside `$ref`, or keeps them under `besideRef`. */
  removeBesideRef(keepsBeside: boolean): void {
    for (const { document, at, schema } of this.graph.spots.values()) {
      if (document.dialect.besideRef || typeof schema.$ref !== "string") continue;
      const copy = this.schemaAt(document, at);
      // The schema was removed together with the keyword that contained it.
      if (copy === undefined) continue;
      const removed = isolateRef(copy, at === "");
      if (!keepsBeside || Object.keys(removed).length === 0) continue;
      copy[besideRef] = removed;
      const { line, column } = document.text.locate(at);
      this.notes?.push(
        `${document.file}:${line}:${column} (#${at}): beside $ref ${Object.keys(removed).join(", ")} counts for nothing in ${document.dialect.name}; validators differ, so that what it decides is disputed`,
      );
    }
  }

  /** Throws for a reference to a removed keyword. */
  refuseLostTargets(): void {
    for (const { reference, target } of this.followed) {
      if (this.schemaAt(target.resource.document, target.at) !== undefined) continue;
      throw referenceError(
        reference,
        "leads to a keyword beside a $ref, where nothing counts",
        "move it to definitions",
      );
    }
  }

  rewriteDialects(): void {
    for (const { document, at, schema } of this.graph.spots.values()) {
      if (!Object.hasOwn(schema, "$schema") && !Object.hasOwn(schema, "$vocabulary")) continue;
      const copy = this.schemaAt(document, at);
      if (copy !== undefined && typeof schema.$schema === "string")
        copy.$schema = spellName(schema.$schema, document.dialect);
      // `$vocabulary` lists the vocabularies of a meta-schema, and validators object to unknown vocabularies.
      if (copy !== undefined) delete copy.$vocabulary;
    }
  }

  /** Removes unknown keywords with apparent references, which some validators follow. Keywords that contain the target of a reference are kept. */
  removeUnknown(): void {
    const targetKeys = new Set(
      this.followed.flatMap(({ target }) => prefixes(spotKey(target.resource.document, target.at))),
    );
    for (const { document, at, schema } of this.graph.spots.values()) {
      if (Object.keys(schema).every((name) => isKnown(document.dialect, name))) continue;
      const copy = this.schemaAt(document, at);
      for (const [name, value] of Object.entries(copy ?? {})) {
        const mayRefer = !isKnown(document.dialect, name) && /"\$ref":/.test(JSON.stringify(value));
        if (mayRefer && !targetKeys.has(spotKey(document, append(at, name)))) delete copy?.[name];
      }
    }
  }

  /** With notes, converts keywords of draft-04. Returns whether there were any schemas to convert. */
  upgradeOld(): boolean {
    const oldSpots =
      this.notes === undefined ? [] : [...this.graph.spots.values()].filter(({ document }) => isOld(document));
    for (const { document, at } of oldSpots) {
      const untranslated = upgradeSchema(this.schemaAt(document, at) ?? {});
      if (untranslated.length > 0)
        this.notes?.push(`${document.file}#${at}: draft-04 knows no ${untranslated.join(", ")}`);
    }
    return oldSpots.length > 0;
  }

  /** With notes, removes `id`, the draft-04 name of `$id`, which some validators refuse in newer dialects. */
  removeOldNames(): void {
    for (const { document, at, schema } of this.notes === undefined ? [] : this.graph.spots.values()) {
      if (isOld(document) || typeof schema.id !== "string") continue;
      const copy = this.schemaAt(document, at);
      if (typeof copy?.id !== "string") continue;
      delete copy.id;
      this.notes?.push(`${document.file}#${at}: ${document.dialect.name} knows no id`);
    }
  }

  /** The copies, each with its name. */
  schemas(): JsonObject[] {
    return this.graph.roots.map(({ document, id }) => {
      const copy = this.copies.get(document) as JsonObject;
      const keyword = this.notes === undefined ? document.dialect.id : "$id";
      return Object.hasOwn(copy, keyword) ? { ...copy, [keyword]: id } : { [keyword]: id, ...copy };
    });
  }

  private set(document: SchemaDocument, at: string, keyword: string, text: string): void {
    (this.schemaAt(document, at) as JsonObject)[keyword] = text;
  }

  private schemaAt(document: SchemaDocument, at: string): JsonObject | undefined {
    return valueAt(at, this.copies.get(document) as Json) as JsonObject | undefined;
  }
}

/** Whether a name is a keyword of the dialect, or one of our own. */
function isKnown(dialect: Dialect, name: string): boolean {
  return (
    name === besideRef ||
    name === asDoubles ||
    name === widePattern ||
    name === exactNumbersKey ||
    keywordsOf(dialect).has(name) ||
    ["definitions", "$defs"].includes(name)
  );
}

/** A location and all locations that contain it. */
function prefixes(key: string): string[] {
  const locations = [key];
  for (let end = key.lastIndexOf("/"); end > key.lastIndexOf("#"); end = key.lastIndexOf("/", end - 1))
    locations.push(key.slice(0, end));
  return locations;
}

/** Returns the dialect's name, in the spelling that validators know. */
function spellName(name: string, dialect: Dialect): string {
  return name === dialect.uri || name === `${dialect.uri}#` ? name : schemaUriOf(dialect);
}

function isOld({ dialect }: SchemaDocument): boolean {
  return dialect.id === "id";
}

/**
 * Removes the keywords beside `$ref`, to which some validators object, and returns them. At the root, wraps the `$ref` in `allOf` for
 * validators that would lose its neighbours.
 */
function isolateRef(schema: JsonObject, isRoot: boolean): JsonObject {
  const removed: JsonObject = {};
  for (const keyword of ignoredBesideRef) {
    if (Object.hasOwn(schema, keyword) && keyword !== "id" && keyword !== "$id")
      removed[keyword] = schema[keyword] as Json;
    delete schema[keyword];
  }
  if (!isRoot) return removed;
  schema.allOf = [{ $ref: schema.$ref as string }];
  delete schema.$ref;
  return removed;
}
