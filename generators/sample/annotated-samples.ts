import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isVast } from "../drafts/work-progress.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import type { Model } from "../model/model.ts";
import { rawAt } from "../mutation/mutant.ts";
import { solve } from "../solve/solve.ts";

/** Annotated values that are tried at one path. */
const maxTried = 5;
/** Samples returned for one schema. */
const maxSamples = 5;
/** Values that are put into one instance. Each costs an evaluation. */
const maxFilledPaths = 200;
/** A string with a longer minimum length is not filled with words. */
const maxWordLength = 100;

/**
 * Makes valid instances from the annotations `examples` and `default` of a schema (JSON Schema Validation, 9.2 and 9.5). They are the examples of the
 * root, or else one small instance with the annotated values of its members. Invalid values are left out. With `hasWords`, an unconstrained string is
 * the name of its member, so that a message looks realistic.
 */
export async function annotatedSamples(
  schemas: readonly JsonObject[],
  schema: string,
  { hasWords = false }: { hasWords?: boolean } = {},
): Promise<Json[]> {
  if (!hasWords && !areAnnotated(schemas)) return [];
  const model = await compileModel(schemas, schema);
  const rootValues = valuesAt(schemas, model.root).filter((value) => isValid(model, value));
  if (rootValues.length > 0) return rootValues.slice(0, maxSamples);
  if (isVast(model)) return [];
  const smallest = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  if (!("found" in smallest)) return [];
  const sample = fillAnnotated(model, schemas, smallest.found, hasWords);
  return sample === undefined ? [] : [sample];
}

/** Puts annotated values into an instance, outermost first. Undefined if none is valid. */
function fillAnnotated(
  model: Model,
  schemas: readonly JsonObject[],
  instance: Json,
  hasWords: boolean,
): Json | undefined {
  let sample = instance;
  const filledPaths: string[][] = [];
  for (const { at, values } of annotatedPaths(model, schemas, hasWords)) {
    if (at.length === 0 || filledPaths.some((filled) => filled.every((segment, index) => segment === at[index])))
      continue;
    for (const value of values.slice(0, maxTried)) {
      const candidate = withValue(sample, at, value);
      if (candidate === undefined || !isValid(model, candidate)) continue;
      sample = candidate;
      filledPaths.push([...at]);
      break;
    }
    if (filledPaths.length === maxFilledPaths) break;
  }
  return filledPaths.length === 0 ? undefined : sample;
}

/** Yields each path of an instance, with the values that its schemas annotate. */
function* annotatedPaths(
  model: Model,
  schemas: readonly JsonObject[],
  hasWords: boolean,
): Generator<{ at: readonly string[]; values: Json[] }> {
  for (const { node, at, steps } of places(model)) {
    // `additionalProperties` and `patternProperties` name no member.
    if (steps.some(({ kind }) => /[a-z]Properties$/.test(kind))) continue;
    const raw = rawAt(schemas, node);
    yield { at, values: [...valuesIn(raw), ...(hasWords ? wordFor(raw, at) : [])] };
    // Before 2019-09, `places` skips a schema with a `$ref`, but its annotations still describe the member.
    const members = isObject(raw) && isObject(raw.properties) ? raw.properties : {};
    for (const [name, member] of Object.entries(members))
      if (isObject(member) && Object.hasOwn(member, "$ref")) yield { at: [...at, name], values: valuesIn(member) };
  }
}

function valuesAt(schemas: readonly JsonObject[], location: string): Json[] {
  return valuesIn(rawAt(schemas, location));
}

/** Examples come first, because a default may describe an absent member. */
function valuesIn(raw: Json | undefined): Json[] {
  if (!isObject(raw)) return [];
  return [...(Array.isArray(raw.examples) ? raw.examples : []), ...(raw.default === undefined ? [] : [raw.default])];
}

/** Keywords that constrain a string by more than its length. */
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

/** Returns the name of the member, for a string with no constraint except its length. */
function wordFor(raw: Json | undefined, at: readonly string[]): Json[] {
  const types = isObject(raw) ? [raw.type].flat() : [];
  if (!isObject(raw) || !types.includes("string") || informativeKeywords.some((name) => Object.hasOwn(raw, name)))
    return [];
  const name = at.findLast((segment) => segment !== "*") ?? "";
  const word = /^[A-Za-z][\w-]*$/.test(name) ? name : "text";
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = raw as { minLength?: number; maxLength?: number };
  if (minLength > maxWordLength) return [];
  const repeats = Math.max(1, Math.ceil((minLength + 1) / (word.length + 1)));
  return [
    Array.from({ length: repeats }, () => word)
      .join(" ")
      .slice(0, Math.max(minLength, maxLength))
      .trim(),
  ];
}

/** Copies an instance with the value at a path, in which `*` is the first item of a list. Undefined if the path cannot exist. */
function withValue(whole: Json | undefined, at: readonly string[], value: Json): Json | undefined {
  const [segment, ...rest] = at;
  if (segment === undefined) return value;
  // Create an absent list.
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
  // A computed key creates an own member, even for `__proto__`.
  return inner === undefined ? undefined : { ...members, [segment]: inner };
}

const knownAnnotated = new WeakMap<readonly JsonObject[], boolean>();

/** Whether any schema has annotations. Cached, because all documents of a protocol share their schemas. */
function areAnnotated(schemas: readonly JsonObject[]): boolean {
  const hasAnnotations = knownAnnotated.get(schemas) ?? schemas.some(isAnnotated);
  knownAnnotated.set(schemas, hasAnnotations);
  return hasAnnotations;
}

function isAnnotated(schema: Json): boolean {
  const queue: Json[] = [schema];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isObject(next) && (Object.hasOwn(next, "examples") || Object.hasOwn(next, "default"))) return true;
    queue.push(...Object.values(next));
  }
  return false;
}
