import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { itemParts, listIn, memberParts, namesIn, partsOf } from "./parts.ts";
import { probesOf } from "./probes.ts";

/** A message that was valid before a change, and the location in the new schema that refuses it. */
export interface BreakingMessage {
  at: string;
  message: Json;
}

type SchemaPairJudge = (message: Json) => readonly ErrorObject[] | undefined;

/** Messages are built down to this depth. */
const maxDepth = 5;

/** How many messages are tried for one pair of schemas. */
const maxCandidates = 20_000;

/** Finds messages that the old schema accepts and the new one refuses, one for each refusing location. Not every location is found. */
export function* witnesses(oldSchema: JsonObject, newSchema: JsonObject): Generator<BreakingMessage> {
  const before = judgeOf(oldSchema);
  const after = judgeOf(newSchema);
  if (before === undefined || after === undefined) return;
  const seenPlaces = new Set<string>();
  let triedCount = 0;
  for (const message of candidateMessages(oldSchema, newSchema, before)) {
    if (++triedCount > maxCandidates) return;
    if (before(message) !== undefined) continue;
    const [error] = after(message) ?? [];
    if (error === undefined) continue;
    const at = error.schemaPath.replace(/^#/, "").replace(/\/additionalProperties$/, "/properties");
    if (seenPlaces.has(at)) continue;
    seenPlaces.add(at);
    yield { at, message };
  }
}

/** Caches of compiled schemas, by object and by JSON, since most releases share schemas. */
const judgesBySchema = new WeakMap<JsonObject, { judge: SchemaPairJudge | undefined }>();
const judgesByText = new Map<string, { judge: SchemaPairJudge | undefined }>();
const maxCachedJudges = 2000;
const newAjv = (): Ajv2020 =>
  new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    inlineRefs: false,
    code: { optimize: false },
  });
// Created on first use.
let sharedAjv: Ajv2020 | undefined;

/** A function that validates messages; undefined if the schema cannot be compiled. */
function judgeOf(schema: JsonObject): SchemaPairJudge | undefined {
  const cached = judgesBySchema.get(schema);
  if (cached !== undefined) return cached.judge;
  const text = JSON.stringify(schema);
  const compiled = judgesByText.get(text) ?? { judge: compileJudge(schema) };
  if (judgesByText.size >= maxCachedJudges) judgesByText.clear();
  judgesByText.set(text, compiled);
  judgesBySchema.set(schema, compiled);
  return compiled.judge;
}

function compileJudge({ $schema: _dialect, $id: _id, ...schema }: JsonObject): SchemaPairJudge | undefined {
  // An Ajv instance cannot contain two schemas with one id, such as the two schemas of a release.
  const hasId = JSON.stringify(schema).includes('"$id"');
  sharedAjv ??= newAjv();
  const ajv = hasId ? newAjv() : sharedAjv;
  try {
    const validate = ajv.compile(schema);
    if ("$async" in validate) return undefined;
    return (message) => (validate(message) === true ? undefined : (validate.errors ?? []));
  } catch {
    return undefined;
  } finally {
    ajv.removeSchema(schema);
  }
}

function* candidateMessages(oldSchema: JsonObject, newSchema: JsonObject, accepts: SchemaPairJudge): Generator<Json> {
  const parts = [...partsOf(oldSchema, oldSchema)];
  const smallest = buildValue(parts, oldSchema, 0, false);
  let fullest = smallest;
  yield smallest;
  if (!isObject(smallest)) return;
  // Adds optional members one by one, as long as the message stays valid.
  for (const name of namesIn(parts)) {
    if (!isObject(fullest) || Object.hasOwn(fullest, name)) continue;
    const candidate: JsonObject = {
      ...fullest,
      [name]: buildValue([...memberParts(parts, name, oldSchema)], oldSchema, 1, true),
    };
    yield { ...smallest, [name]: candidate[name] as Json };
    if (accepts(candidate) === undefined) fullest = candidate;
  }
  for (const base of [fullest, smallest])
    for (const value of varyValue(base, parts, {
      after: [...partsOf(newSchema, newSchema)],
      roots: { oldSchema, newSchema },
      depth: 0,
    }))
      yield value;
}

/** Builds a value for a location, with only the required members or with all described ones. */
function buildValue(parts: readonly JsonObject[], root: JsonObject, depth: number, isWhole: boolean): Json {
  const types = new Set(parts.flatMap((part) => (Array.isArray(part.type) ? part.type : (part.type ?? []))));
  if (types.has("object") || (types.size === 0 && namesIn(parts).length > 0)) {
    const requiredNames = parts.flatMap((part) => listIn(part, "required"));
    const names = namesIn(parts).filter((name) => isWhole || requiredNames.includes(name));
    if (depth > maxDepth) return {};
    return Object.fromEntries(
      names.map((name) => [name, buildValue([...memberParts(parts, name, root)], root, depth + 1, isWhole)]),
    );
  }
  const hasItems = types.has("array") && depth <= maxDepth;
  const item = hasItems ? buildValue([...itemParts(parts, root)], root, depth + 1, isWhole) : "a";
  const judge = parts[0] === undefined ? undefined : judgeOf(parts[0]);
  return (
    probesOf(parts, item)
      .reverse()
      .find((probe) => judge?.(probe) === undefined) ?? "a"
  );
}

/** Yields variants of a message that each change one location: a member is removed, added or replaced. */
function* varyValue(
  value: Json,
  before: readonly JsonObject[],
  {
    after,
    roots,
    depth,
  }: { after: readonly JsonObject[]; roots: { oldSchema: JsonObject; newSchema: JsonObject }; depth: number },
): Generator<Json> {
  if (depth > maxDepth) return;
  const { oldSchema, newSchema } = roots;
  const item = Array.isArray(value) && value[0] !== undefined ? value[0] : "a";
  yield* probesOf([...before, ...after], item);
  if (Array.isArray(value)) {
    const [oldItems, newItems] = [[...itemParts(before, oldSchema)], [...itemParts(after, newSchema)]];
    const variants = () => varyValue(item, oldItems, { after: newItems, roots, depth: depth + 1 });
    for (const variant of variants()) yield [variant, ...value.slice(1)];
    for (const variant of variants()) yield [item, variant];
  }
  if (!isObject(value)) return;
  for (const name of [...new Set([...namesIn(before), ...namesIn(after), ...Object.keys(value), "zz", "Z z"])]) {
    const { [name]: member = {}, ...otherMembers } = value;
    if (Object.hasOwn(value, name)) yield otherMembers;
    const oldParts = [...memberParts(before, name, oldSchema)];
    const newParts = [...memberParts(after, name, newSchema)];
    for (const variant of varyValue(member, oldParts, { after: newParts, roots, depth: depth + 1 }))
      yield { ...value, [name]: variant };
  }
}
