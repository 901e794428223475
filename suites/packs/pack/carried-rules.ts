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
import { documentWords, type Words } from "../reference/kinds.ts";
import { followReference, type Locations, locateSchemas } from "../reference/locations.ts";

/** Limits the steps, since a hostile schema branches at each one. */
const maxSteps = 5000;
const deepest = 6;

/** A place in a message, `*` for each item of a list, at which its schema refers to the schema of another document. */
interface Carried {
  place: string[];
  document: string;
  /** Whether the value at the place is that document. */
  isIt(value: Json): boolean;
}

/** The rules of a pack's documents, for messages that carry these documents, such as a batch of events: both are sent to a server, and one schema refers to the other. Among alternatives (`oneOf`) a document is recognised by the values that distinguish it. A rule that names the carrier itself is unchanged. */
export function carriedRules(protocol: Protocol, families: readonly RuleFamily[]): RuleFamily[] {
  const sent = protocol.profile.documents.filter(({ role, endpoint }) => role === "entry" && endpoint !== undefined);
  const own = families.flatMap(({ checkers, seals }) => (seals === true ? [] : checkers));
  if (sent.length < 2 || own.every(({ check }) => check === undefined)) return [];
  const locations = locateSchemas(protocol.schemas);
  const carriers = sent.map((document) => ({ name: document.name, carried: carriedBy(document, sent, locations) }));
  const checkers = own.flatMap((checker) =>
    carriers.flatMap(({ name, carried }) => {
      const of = carried.filter(({ document }) => checker.documents.includes(document));
      const isTaken = own.some(({ rule, documents }) => rule === checker.rule && documents.includes(name));
      return isTaken || of.length === 0 ? [] : [checkerWithin(checker, name, of)];
    }),
  );
  return checkers.length === 0 ? [] : [{ name: "carried", checkers, cases: [] }];
}

function checkerWithin(checker: Checker, carrier: string, carried: readonly Carried[]): Checker {
  return {
    rule: checker.rule,
    documents: [carrier],
    *check(message): Generator<Breach> {
      for (const { place, document, isIt } of carried)
        for (const [at, value] of valuesAt(message, place)) {
          if (!isIt(value)) continue;
          for (const breach of checker.check?.(value, document) ?? []) yield { ...breach, at: `${at}${breach.at}` };
        }
    },
  };
}

function* valuesAt(value: Json, [step, ...rest]: readonly string[], at = ""): Generator<[at: string, value: Json]> {
  if (step === undefined) yield [at, value];
  else if (step === "*") {
    if (!Array.isArray(value)) return;
    for (const [index, each] of value.entries()) yield* valuesAt(each, rest, `${at}/${index}`);
  } else {
    const next = pointer.at(pointer.append("", step), value);
    if (next !== undefined) yield* valuesAt(next, rest, pointer.append(at, step));
  }
}

/** The places in messages of a document at which its schema refers to another document's schema. */
function carriedBy(carrier: Document, sent: readonly Document[], locations: Locations): Carried[] {
  const others = new Map(
    sent
      .filter(({ name }) => name !== carrier.name)
      .map((document) => [entryOf(document, locations), { document, words: documentWords(document, locations) }]),
  );
  const found: Carried[] = [];
  const entry = entryOf(carrier, locations);
  let steps = 0;
  if (entry !== undefined) visit(entry, [], false, new Set());
  return found;

  function visit(schema: JsonObject, place: string[], isChoice: boolean, above: ReadonlySet<JsonObject>): void {
    steps += 1;
    if (steps > maxSteps || place.length > deepest || above.has(schema)) return;
    const other = others.get(schema);
    if (other !== undefined && (!isChoice || other.words.size > 0)) {
      const isIt = (value: Json): boolean => !isChoice || hasWords(value, other.words);
      found.push({ place, document: other.document.name, isIt });
    }
    const within = new Set([...above, schema]);
    for (const [child, step, isBranch] of childrenOf(schema, locations))
      visit(child, step === undefined ? place : [...place, step], isBranch || isChoice, within);
  }
}

/** The schema to which a document's own schema only refers, or that schema itself. */
function entryOf({ schema }: Pick<Document, "schema">, locations: Locations): JsonObject | undefined {
  let entry = locations.at.get(`${schema.replace(/#$/, "")}#`);
  for (let hops = 0; entry !== undefined && hops < deepest; hops++) {
    const isAlias = Object.keys(entry).every((keyword) => keyword === "$ref" || keyword.startsWith("$"));
    const next = isAlias ? followReference(entry, locations) : undefined;
    if (next === undefined) return entry;
    entry = next;
  }
  return entry;
}

/** Whether every message of one document must also match the other document, alone or as one of several alternatives. */
export function refersInPlace(document: string, other: string, locations: Locations): boolean {
  const target = entryOf({ schema: other }, locations);
  const seen = new Set<JsonObject>();
  const left = [entryOf({ schema: document }, locations)];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (schema === target) return true;
    if (seen.has(schema)) continue;
    seen.add(schema);
    for (const [child, step] of childrenOf(schema, locations)) if (step === undefined) left.push(child);
  }
  return false;
}

/** The subschemas that apply to a message, each with the step to its place, if it applies elsewhere, and whether it is one of several alternatives. */
function* childrenOf(
  schema: JsonObject,
  locations: Locations,
): Generator<[child: JsonObject, step: string | undefined, isBranch: boolean]> {
  const target = followReference(schema, locations);
  if (target !== undefined) yield [target, undefined, false];
  for (const each of listOf(schema.allOf)) yield [each, undefined, false];
  for (const each of [...listOf(schema.anyOf), ...listOf(schema.oneOf), ...listOf([schema.then, schema.else])])
    yield [each, undefined, true];
  if (isObject(schema.properties))
    for (const [name, each] of Object.entries(schema.properties)) if (isObject(each)) yield [each, name, false];
  const tuple = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  for (const [index, each] of listOf(tuple).entries()) yield [each, String(index), false];
  if (isObject(schema.items) && tuple === undefined) yield [schema.items, "*", false];
}

function listOf(value: Json | readonly (Json | undefined)[] | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((each): each is JsonObject => isObject(each)) : [];
}

function hasWords(data: Json, words: Words): boolean {
  return [...words].every(([at, list]) => {
    const value = pointer.at(at, data);
    return value !== undefined && list.some((each) => equal(each, value));
  });
}
