import {
  type Breach,
  type Checker,
  type Document,
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Protocol,
  pointer,
  type RuleFamily,
} from "../../../schemas/index.ts";
import { type FixedValues, fixedValuesOf } from "../reference/kinds.ts";
import { followReference, type Locations, locateSchemas } from "../reference/locations.ts";

/** Limits the steps of a search, because a hostile schema can branch at each one. */
const maxSteps = 5000;
const maxDepth = 6;

/** A place in a message where its schema refers to the schema of another document; `*` is each item of a list. */
interface CarriedDocument {
  place: string[];
  document: string;
  /** Whether a value at the place is that document. */
  isDocument(value: Json): boolean;
}

/**
 * Applies the rules of a pack's documents to the messages that contain these documents, such as a batch of events, provided that both can be
 * sent to a server, and that the schema of the message refers to that of the document. Among alternatives (`oneOf`), a document is recognised
 * by its distinguishing values. A rule that already names the containing message is not applied a second time.
 */
export function carriedRules(protocol: Protocol, families: readonly RuleFamily[]): RuleFamily[] {
  const sentDocuments = protocol.profile.documents.filter(
    ({ role, endpoint }) => role === "entry" && endpoint !== undefined,
  );
  const ownCheckers = families.flatMap(({ checkers, seals }) => (seals === true ? [] : checkers));
  if (sentDocuments.length < 2 || ownCheckers.every(({ check }) => check === undefined)) return [];
  const locations = locateSchemas(protocol.schemas);
  const carriers = sentDocuments.map((document) => ({
    name: document.name,
    carried: findCarried(document, sentDocuments, locations),
  }));
  const checkers = ownCheckers.flatMap((checker) =>
    carriers.flatMap(({ name, carried }) => {
      const carriedWithRule = carried.filter(({ document }) => checker.documents.includes(document));
      const namesCarrier = ownCheckers.some(({ rule, documents }) => rule === checker.rule && documents.includes(name));
      return namesCarrier || carriedWithRule.length === 0 ? [] : [checkerWithin(checker, name, carriedWithRule)];
    }),
  );
  return checkers.length === 0 ? [] : [{ name: "carried", checkers, cases: [] }];
}

function checkerWithin(checker: Checker, carrier: string, carried: readonly CarriedDocument[]): Checker {
  return {
    rule: checker.rule,
    documents: [carrier],
    *check(message): Generator<Breach> {
      for (const { place, document, isDocument } of carried)
        for (const [at, value] of valuesAt(message, place)) {
          if (!isDocument(value)) continue;
          for (const breach of checker.check?.(value, document) ?? []) yield { ...breach, at: `${at}${breach.at}` };
        }
    },
  };
}

function* valuesAt(
  value: Json,
  [step, ...laterSteps]: readonly string[],
  at = "",
): Generator<[at: string, value: Json]> {
  if (step === undefined) yield [at, value];
  else if (step === "*") {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) yield* valuesAt(item, laterSteps, `${at}/${index}`);
  } else {
    const member = pointer.at(pointer.append("", step), value);
    if (member !== undefined) yield* valuesAt(member, laterSteps, pointer.append(at, step));
  }
}

/** The places in messages of a document at which its schema refers to another document's schema. */
function findCarried(carrier: Document, sentDocuments: readonly Document[], locations: Locations): CarriedDocument[] {
  const otherDocuments = new Map(
    sentDocuments
      .filter(({ name }) => name !== carrier.name)
      .map((document) => [
        resolveEntry(document, locations),
        { document, fixedValues: fixedValuesOf(document, locations) },
      ]),
  );
  const carried: CarriedDocument[] = [];
  const entry = resolveEntry(carrier, locations);
  let steps = 0;
  if (entry !== undefined) visit(entry, [], false, new Set());
  return carried;

  function visit(schema: JsonObject, place: string[], isChoice: boolean, ancestors: ReadonlySet<JsonObject>): void {
    steps += 1;
    if (steps > maxSteps || place.length > maxDepth || ancestors.has(schema)) return;
    const match = otherDocuments.get(schema);
    if (match !== undefined && (!isChoice || match.fixedValues.size > 0)) {
      const isDocument = (value: Json): boolean => !isChoice || hasFixedValues(value, match.fixedValues);
      carried.push({ place, document: match.document.name, isDocument });
    }
    const path = new Set([...ancestors, schema]);
    for (const [child, step, isBranch] of childrenOf(schema, locations))
      visit(child, step === undefined ? place : [...place, step], isBranch || isChoice, path);
  }
}

/** The schema of a document. If it only refers to another schema, follows the reference. */
function resolveEntry({ schema }: Pick<Document, "schema">, locations: Locations): JsonObject | undefined {
  let entry = locations.schemasByLocation.get(`${schema.replace(/#$/, "")}#`);
  for (let hops = 0; entry !== undefined && hops < maxDepth; hops++) {
    const isAlias = Object.keys(entry).every((keyword) => keyword === "$ref" || keyword.startsWith("$"));
    const next = isAlias ? followReference(entry, locations) : undefined;
    if (next === undefined) return entry;
    entry = next;
  }
  return entry;
}

/** Whether the schema of one document applies the schema of the other to the whole message, possibly as one of several alternatives. */
export function refersInPlace(document: string, other: string, locations: Locations): boolean {
  const target = resolveEntry({ schema: other }, locations);
  const visited = new Set<JsonObject>();
  const pending = [resolveEntry({ schema: document }, locations)];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (schema === target) return true;
    if (visited.has(schema)) continue;
    visited.add(schema);
    for (const [child, step] of childrenOf(schema, locations)) if (step === undefined) pending.push(child);
  }
  return false;
}

/** The subschemas of a schema. `step` leads to the value that a subschema applies to; it is undefined if that is the message itself. `isBranch` says whether the subschema is one of several alternatives. */
function* childrenOf(
  schema: JsonObject,
  locations: Locations,
): Generator<[child: JsonObject, step: string | undefined, isBranch: boolean]> {
  const target = followReference(schema, locations);
  if (target !== undefined) yield [target, undefined, false];
  for (const subschema of schemasIn(schema.allOf)) yield [subschema, undefined, false];
  for (const subschema of [
    ...schemasIn(schema.anyOf),
    ...schemasIn(schema.oneOf),
    ...schemasIn([schema.then, schema.else]),
  ])
    yield [subschema, undefined, true];
  if (isObject(schema.properties))
    for (const [name, subschema] of Object.entries(schema.properties))
      if (isObject(subschema)) yield [subschema, name, false];
  const tuple = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  for (const [index, subschema] of schemasIn(tuple).entries()) yield [subschema, String(index), false];
  if (isObject(schema.items) && tuple === undefined) yield [schema.items, "*", false];
}

function schemasIn(value: Json | readonly (Json | undefined)[] | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((subschema): subschema is JsonObject => isObject(subschema)) : [];
}

function hasFixedValues(data: Json, fixedValues: FixedValues): boolean {
  return [...fixedValues].every(([at, values]) => {
    const value = pointer.at(at, data);
    return value !== undefined && values.some((accepted) => equal(accepted, value));
  });
}
