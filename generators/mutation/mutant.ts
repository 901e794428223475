import { isObject, type Json, type JsonObject, pointer, setMember } from "../../schemas/index.ts";
import { copyPath } from "../changes/patch.ts";
import { documentAt } from "../compile/resource.ts";
import type { Keyword, Location, Model, Node } from "../model/model.ts";

/** A change of a schema document: sets the value at a location, or removes it. */
export interface Edit {
  at: Location;
  /** If absent, the current value is removed. */
  value?: Json;
}

/** A schema with a mistake that an implementation could make. */
export interface Mutant {
  /** The operator that made the mutant, such as `bound-out` or `entry-dropped`. */
  operator: string;
  /** Whether the mutant accepts more instances than the schema, fewer, or different ones. */
  effect: "weaker" | "stronger" | "other";
  /** The keyword or entry that is changed. */
  site: Location;
  /** The keyword that contains the site as an entry. */
  entryOf?: Location;
  /** The keyword that the mistake concerns; the mutation score is grouped by it. */
  keyword: string;
  /** A description of the mistake, in a few words. */
  says: string;
  edits: Edit[];
  /** The nodes of the model that differ. */
  nodes: Node[];
  /** Whether the changed schema has its own vectors elsewhere. */
  isFromElsewhere?: true;
  /** One of many similar mutants, such as a class with one more character. It follows the others. */
  isFineGrained?: true;
  /** Whether a fine-grained mutant belongs to a small group. It keeps its place in the order instead of being last. */
  isTriedEarly?: true;
  /** Whether one vector, in the document of its own schema, is enough to kill it. Other documents do not have this mutant. */
  needsOneKill?: true;
  /** For a mistake in one of several places: the mutant with the mistake in all places. One vector is enough to kill it. */
  wholeMutant?: Mutant;
}

/** Returns the number of vectors that should kill a mutant: usually two, but one in a document that only refers to the schema, or for a mistake in only one of several places. */
export function requiredKills({ isFromElsewhere, needsOneKill, wholeMutant }: Mutant): 1 | 2 {
  return isFromElsewhere === true || needsOneKill === true || wholeMutant !== undefined ? 1 : 2;
}

/** Returns the keyword of a schema that a mutant changes, completely or in part. */
export function keywordOf(mutant: Mutant, keywords: readonly Keyword[]): Keyword | undefined {
  return keywords.find(({ site }) => site === (mutant.entryOf ?? mutant.site)) ?? keywords[0];
}

/** The documents that contain a schema. */
export interface SchemaSource {
  /** The value of `$schema` of its document. */
  dialect: string;
  /** All documents. */
  schemas: readonly JsonObject[];
}

/** The mistakes that one operator makes in one schema of a model. */
export interface Operator {
  name: string;
  /** `raw` is the schema as its document writes it. */
  mutate(node: Node, model: Model, raw: JsonObject, source: SchemaSource): Iterable<UnnamedMutant>;
}

/** A mutant before the name of its operator is added. */
export type UnnamedMutant = Omit<Mutant, "operator">;

/** Puts the mutant's nodes into a model in place of its own. */
export function mutateModel(model: Model, mutant: Mutant): Model {
  const nodes = new Map(model.nodes);
  for (const node of mutant.nodes) nodes.set(node.location, node);
  return { ...model, nodes };
}

/** Applies edits to the schema documents. Unchanged documents are the same objects. */
export function editSchemas(schemas: readonly JsonObject[], edits: readonly Edit[]): JsonObject[] {
  let editedSchemas = [...schemas];
  for (const { at, value } of edits) {
    const place = documentAt(editedSchemas, at);
    if (place === undefined) throw new Error(`there is no schema document with ${at}`);
    const copy = putValue(place.document, place.path, value);
    editedSchemas = editedSchemas.map((schema) => (schema === place.document ? copy : schema));
  }
  return editedSchemas;
}

function putValue(document: JsonObject, path: string, value: Json | undefined): JsonObject {
  const { parent, last } = pointer.split(path);
  if (!pointer.has(parent, document)) throw new Error(`there is nothing at ${path}`);
  const { root, holder } = copyPath(pointer.segments(parent), document);
  if (Array.isArray(holder)) {
    if (value === undefined) holder.splice(Number(last), 1);
    else holder[Number(last)] = value;
  } else if (isObject(holder)) {
    if (value === undefined) delete holder[last];
    else setMember(holder, last, value);
  } else throw new Error(`there is nothing at ${path}`);
  return root as JsonObject;
}

/** Returns the `$schema` of the document at a location; empty if it has none. */
export function dialectAt(schemas: readonly JsonObject[], location: Location): string {
  const { $schema } = documentAt(schemas, location)?.document ?? {};
  return typeof $schema === "string" ? $schema : "";
}

/** Returns the part of a schema document at a location; undefined if these documents do not contain it. */
export function rawAt(schemas: readonly JsonObject[], location: Location): Json | undefined {
  const place = documentAt(schemas, location);
  return place === undefined ? undefined : pointer.at(place.path, place.document);
}
