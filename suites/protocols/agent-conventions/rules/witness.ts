import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { itemParts, listIn, memberParts, namesIn, partsOf } from "./parts.ts";
import { probesOf } from "./probes.ts";

/** Proof that a change breaks messages: a message that was valid before, and the place in the new schema that refuses it. */
export interface BreakingMessage {
  at: string;
  message: Json;
}

type SchemaPairJudge = (message: Json) => readonly ErrorObject[] | undefined;

/** How many messages are tried for one pair of schemas. */
const maxCandidates = 20_000;

/** Messages that the old schema accepts and the new one refuses, one for each place that refuses. Some of these places may not be found. */
export function* witnesses(old: JsonObject, now: JsonObject): Generator<BreakingMessage> {
  const before = judgeOf(old);
  const after = judgeOf(now);
  if (before === undefined || after === undefined) return;
  const seenPlaces = new Set<string>();
  let triedCount = 0;
  for (const message of messagesOf(old, now, before)) {
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

/** Compiled schemas by their object and by their text: the two schemas of a release are similar, and most releases have the same schemas. */
const judges = new WeakMap<JsonObject, { judge: SchemaPairJudge | undefined }>();
const byText = new Map<string, { judge: SchemaPairJudge | undefined }>();
const mostJudges = 2000;
const newAjv = (): Ajv2020 =>
  new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    inlineRefs: false,
    code: { optimize: false },
  });
// Compiled once, when it is first needed.
let sharedAjv: Ajv2020 | undefined;

/** The errors of a message under a schema; undefined if the schema cannot be compiled. */
function judgeOf(schema: JsonObject): SchemaPairJudge | undefined {
  const known = judges.get(schema);
  if (known !== undefined) return known.judge;
  const text = JSON.stringify(schema);
  const compiled = byText.get(text) ?? { judge: compileJudge(schema) };
  if (byText.size >= mostJudges) byText.clear();
  byText.set(text, compiled);
  judges.set(schema, compiled);
  return compiled.judge;
}

function compileJudge({ $schema: _dialect, $id: _id, ...schema }: JsonObject): SchemaPairJudge | undefined {
  // One instance of a validator cannot contain two schemas with the same name, such as the two sides of a release.
  const isNamed = JSON.stringify(schema).includes('"$id"');
  sharedAjv ??= newAjv();
  const ajv = isNamed ? newAjv() : sharedAjv;
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

function* messagesOf(old: JsonObject, now: JsonObject, accepts: SchemaPairJudge): Generator<Json> {
  const parts = [...partsOf(old, old)];
  const smallest = buildWitness(parts, old, 0, false);
  let fuller = smallest;
  yield smallest;
  if (!isObject(smallest)) return;
  // Adds optional members one after another, as long as the whole stays valid.
  for (const name of namesIn(parts)) {
    if (!isObject(fuller) || Object.hasOwn(fuller, name)) continue;
    const more: JsonObject = { ...fuller, [name]: buildWitness([...memberParts(parts, name, old)], old, 1, true) };
    yield { ...smallest, [name]: more[name] as Json };
    if (accepts(more) === undefined) fuller = more;
  }
  for (const base of [fuller, smallest])
    for (const value of varyValue(base, parts, { after: [...partsOf(now, now)], roots: { old, now }, depth: 0 }))
      yield value;
}

/** A value for one place: with only the required members, or with all described ones. */
function buildWitness(parts: readonly JsonObject[], root: JsonObject, depth: number, isWhole: boolean): Json {
  const types = new Set(parts.flatMap((part) => (Array.isArray(part.type) ? part.type : (part.type ?? []))));
  if (types.has("object") || (types.size === 0 && namesIn(parts).length > 0)) {
    const requiredNames = parts.flatMap((part) => listIn(part, "required"));
    const names = namesIn(parts).filter((name) => isWhole || requiredNames.includes(name));
    if (depth > 5) return {};
    return Object.fromEntries(
      names.map((name) => [name, buildWitness([...memberParts(parts, name, root)], root, depth + 1, isWhole)]),
    );
  }
  const item =
    depth > 5 ? "a" : types.has("array") ? buildWitness([...itemParts(parts, root)], root, depth + 1, isWhole) : "a";
  const judge = parts[0] === undefined ? undefined : judgeOf(parts[0]);
  return (
    probesOf(parts, item)
      .reverse()
      .find((probe) => judge?.(probe) === undefined) ?? "a"
  );
}

/** The message with one place changed: removed, added, or with another value. */
function* varyValue(
  value: Json,
  before: readonly JsonObject[],
  { after, roots, depth }: { after: readonly JsonObject[]; roots: { old: JsonObject; now: JsonObject }; depth: number },
): Generator<Json> {
  if (depth > 5) return;
  const { old, now } = roots;
  const item = Array.isArray(value) && value[0] !== undefined ? value[0] : "a";
  yield* probesOf([...before, ...after], item);
  if (Array.isArray(value)) {
    const [ownItems, newItems] = [[...itemParts(before, old)], [...itemParts(after, now)]];
    for (const each of varyValue(item, ownItems, { after: newItems, roots, depth: depth + 1 }))
      yield [each, ...value.slice(1)];
    for (const each of varyValue(item, ownItems, { after: newItems, roots, depth: depth + 1 })) yield [item, each];
  }
  if (!isObject(value)) return;
  for (const name of [...new Set([...namesIn(before), ...namesIn(after), ...Object.keys(value), "zz", "Z z"])]) {
    const { [name]: ownItems = {}, ...newItems } = value;
    if (Object.hasOwn(value, name)) yield newItems;
    const was = [...memberParts(before, name, old)];
    const is = [...memberParts(after, name, now)];
    for (const each of varyValue(ownItems, was, { after: is, roots, depth: depth + 1 }))
      yield { ...value, [name]: each };
  }
}
