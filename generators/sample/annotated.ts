import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isVast } from "../drafts/watch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import type { Model } from "../model/model.ts";
import { rawAt } from "../mutation/mutant.ts";
import { solve } from "../solve/solve.ts";

/** Instances that are tried in the place of one value, and samples that one schema gives. */
const [mostTried, mostSamples] = [5, 5];
/** Values that are put into one instance: each costs an evaluation. */
const mostPut = 200;

/**
 * Valid instances with the values that a schema's own annotations `examples` and `default` show (JSON Schema Validation, 9.2 and 9.5): the examples of
 * its root, or else a small instance into which those of its members are put. Values that do not fit are left out; none if none fits.
 */
export async function annotatedSamples(schemas: readonly JsonObject[], schema: string): Promise<Json[]> {
  if (!schemas.some(isAnnotated)) return [];
  const model = await compileModel(schemas, schema);
  const whole = valuesAt(schemas, model.root).filter((each) => isValid(model, each));
  if (whole.length > 0) return whole.slice(0, mostSamples);
  if (isVast(model)) return [];
  const least = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  if (!("found" in least)) return [];
  const sample = filled(model, schemas, least.found);
  return sample === undefined ? [] : [sample];
}

/** The instance with annotated values in it, outermost first; undefined if none fits. */
function filled(model: Model, schemas: readonly JsonObject[], instance: Json): Json | undefined {
  let sample = instance;
  const put: string[][] = [];
  for (const { at, values } of annotations(model, schemas)) {
    if (at.length === 0 || put.some((above) => above.every((segment, index) => segment === at[index]))) continue;
    for (const value of values.slice(0, mostTried)) {
      const next = withValue(sample, at, value);
      if (next === undefined || !isValid(model, next)) continue;
      sample = next;
      put.push([...at]);
      break;
    }
    if (put.length === mostPut) break;
  }
  return put.length === 0 ? undefined : sample;
}

/** Each place of an instance with the values that its schemas show. */
function* annotations(
  model: Model,
  schemas: readonly JsonObject[],
): Generator<{ at: readonly string[]; values: Json[] }> {
  for (const { node, at, steps } of places(model)) {
    // A member of any name has no place in an instance.
    if (steps.some(({ kind }) => /[a-z]Properties$/.test(kind))) continue;
    yield { at, values: valuesAt(schemas, node) };
    // Before 2019-09 a member's schema with a `$ref` has no place of its own, but its annotations are about the member.
    const raw = rawAt(schemas, node);
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

function isAnnotated(schema: Json): boolean {
  const open: Json[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isObject(next) && (Object.hasOwn(next, "examples") || Object.hasOwn(next, "default"))) return true;
    open.push(...Object.values(next));
  }
  return false;
}
