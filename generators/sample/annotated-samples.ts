import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isVast } from "../drafts/work-progress.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import type { Model } from "../model/model.ts";
import { rawAt } from "../mutation/mutant.ts";
import { solve } from "../solve/solve.ts";

/** The number of instances tried in place of one value, and of samples that one schema gives. */
const [maxTried, maxSamples] = [5, 5];
/** Values that are put into one instance: each costs an evaluation. */
const maxPut = 200;
/** Characters of a word. */
const maxWritten = 100;

/**
 * Valid instances with the values that a schema's own annotations `examples` and `default` show (JSON Schema Validation, 9.2 and 9.5): the examples of
 * its root, or else a small instance into which those of its members are put. Values that do not fit are left out; none if none fits. `hasWords`: a text about
 * which the schema says no more than its length is the name of its member, so that a message looks like one.
 */
export async function annotatedSamples(
  schemas: readonly JsonObject[],
  schema: string,
  { hasWords = false }: { hasWords?: boolean } = {},
): Promise<Json[]> {
  if (!hasWords && !areAnnotated(schemas)) return [];
  const model = await compileModel(schemas, schema);
  const whole = valuesAt(schemas, model.root).filter((value) => isValid(model, value));
  if (whole.length > 0) return whole.slice(0, maxSamples);
  if (isVast(model)) return [];
  const least = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  if (!("found" in least)) return [];
  const sample = fillAnnotated(model, schemas, least.found, hasWords);
  return sample === undefined ? [] : [sample];
}

/** The instance with annotated values in it, outermost first; undefined if none fits. */
function fillAnnotated(
  model: Model,
  schemas: readonly JsonObject[],
  instance: Json,
  hasWords: boolean,
): Json | undefined {
  let sample = instance;
  const put: string[][] = [];
  for (const { at, values } of annotations(model, schemas, hasWords)) {
    if (at.length === 0 || put.some((above) => above.every((segment, index) => segment === at[index]))) continue;
    for (const value of values.slice(0, maxTried)) {
      const next = withValue(sample, at, value);
      if (next === undefined || !isValid(model, next)) continue;
      sample = next;
      put.push([...at]);
      break;
    }
    if (put.length === maxPut) break;
  }
  return put.length === 0 ? undefined : sample;
}

/** Each place of an instance with the values that its schemas show. */
function* annotations(
  model: Model,
  schemas: readonly JsonObject[],
  hasWords: boolean,
): Generator<{ at: readonly string[]; values: Json[] }> {
  for (const { node, at, steps } of places(model)) {
    // A member of any name has no place in an instance.
    if (steps.some(({ kind }) => /[a-z]Properties$/.test(kind))) continue;
    const raw = rawAt(schemas, node);
    yield { at, values: [...valuesIn(raw), ...(hasWords ? wordFor(raw, at) : [])] };
    // Before 2019-09 a member's schema with a `$ref` has no place of its own, but its annotations are about the member.
    const members = isObject(raw) && isObject(raw.properties) ? raw.properties : {};
    for (const [name, member] of Object.entries(members))
      if (isObject(member) && Object.hasOwn(member, "$ref")) yield { at: [...at, name], values: valuesIn(member) };
  }
}

function valuesAt(schemas: readonly JsonObject[], location: string): Json[] {
  return valuesIn(rawAt(schemas, location));
}

/** The examples first: a default may be the value of a member that is left out. */
function valuesIn(raw: Json | undefined): Json[] {
  if (!isObject(raw)) return [];
  return [...(Array.isArray(raw.examples) ? raw.examples : []), ...(raw.default === undefined ? [] : [raw.default])];
}

/** Keywords that make a text more than a word. */
const informativeKeywords = [
  "enum",
  "const",
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
  "$ref",
  "not",
  "if",
];

/** The name of the member, for a text with no constraint except its length. */
function wordFor(raw: Json | undefined, at: readonly string[]): Json[] {
  const types = isObject(raw) ? [raw.type].flat() : [];
  if (!isObject(raw) || !types.includes("string") || informativeKeywords.some((name) => Object.hasOwn(raw, name)))
    return [];
  const name = at.findLast((segment) => segment !== "*") ?? "";
  const word = /^[A-Za-z][\w-]*$/.test(name) ? name : "text";
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = raw as { minLength?: number; maxLength?: number };
  if (minLength > maxWritten) return [];
  const times = Math.max(1, Math.ceil((minLength + 1) / (word.length + 1)));
  return [
    Array.from({ length: times }, () => word)
      .join(" ")
      .slice(0, Math.max(minLength, maxLength))
      .trim(),
  ];
}

/** `*` is the first item of a list; undefined if there is no such place, as for a member of any name. */
function withValue(whole: Json | undefined, at: readonly string[], value: Json): Json | undefined {
  const [segment, ...rest] = at;
  if (segment === undefined) return value;
  // A list that is absent.
  if (segment === "*" && whole === undefined) {
    const item = withValue(undefined, rest, value);
    return item === undefined ? undefined : [item];
  }
  if (Array.isArray(whole)) {
    const index = segment === "*" ? 0 : Number(segment);
    if (!Number.isInteger(index) || index > whole.length) return undefined;
    const inner = withValue(whole[index], rest, value);
    return inner === undefined ? undefined : whole.toSpliced(index, 1, inner);
  }
  if (segment === "*" || (whole !== undefined && !isObject(whole))) return undefined;
  const members = whole ?? {};
  const inner = withValue(Object.hasOwn(members, segment) ? members[segment] : undefined, rest, value);
  // A computed name is an own member, `__proto__` as well.
  return inner === undefined ? undefined : { ...members, [segment]: inner };
}

const knownAnnotated = new WeakMap<readonly JsonObject[], boolean>();

/** Whether any schema shows values. Cached, because each document of a protocol asks the same about all its schemas. */
function areAnnotated(schemas: readonly JsonObject[]): boolean {
  const found = knownAnnotated.get(schemas) ?? schemas.some(isAnnotated);
  knownAnnotated.set(schemas, found);
  return found;
}

function isAnnotated(schema: Json): boolean {
  const open: Json[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isObject(next) && (Object.hasOwn(next, "examples") || Object.hasOwn(next, "default"))) return true;
    open.push(...Object.values(next));
  }
  return false;
}
