import { canonical, type Json } from "../../../../schemas/index.ts";
import { get } from "./finding.ts";

/** Differences between two schemas, each with a JSON Pointer and a keyword. */
export interface SchemaDifferences {
  /** Messages that were valid and are now invalid. */
  breaking: string[];
  removedPlaces: string[];
  widened: string[];
}

const everyType = ["object", "array", "string", "number", "integer", "boolean", "null"];
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Strings that distinguish patterns. */
const probes = "a abc-9 A CODE-1 CODE-100 TES-100.5 CUE-1 CUE-100.5 broadcast specialist-code 0 9a".split(" ");

export function compareSchemas(before: Json, after: Json, at = ""): SchemaDifferences {
  const differences: SchemaDifferences = { breaking: [], removedPlaces: [], widened: [] };
  if (acceptsAll(after)) {
    if (acceptsAll(before)) return differences;
    return {
      ...differences,
      widened: [`${at} is open`],
      removedPlaces: Object.keys(membersOf(before)).map((name) => `${at}/${name}`),
    };
  }
  if (after === false) return before === false ? differences : { ...differences, breaking: [`${at} is closed`] };
  if (before === false) return { ...differences, widened: [`${at} is allowed`] };
  compareTypes(before, after, at, differences);
  compareEnums(before, after, at, differences);
  compareLimits(before, after, at, differences);
  const [oldValue, newValue] = [get(before, "pattern"), get(after, "pattern")];
  if (oldValue !== newValue)
    (isNarrower(oldValue, newValue) ? differences.breaking : differences.widened).push(`${at} pattern`);
  const requiredOf = (schema: Json): Json[] => listOf(get(schema, "required")) ?? [];
  for (const name of requiredOf(after))
    if (!requiredOf(before).includes(name)) differences.breaking.push(`${at} requires ${name}`);
  for (const name of requiredOf(before))
    if (!requiredOf(after).includes(name)) differences.widened.push(`${at} required`);
  if (get(before, "deprecated") !== get(after, "deprecated")) differences.widened.push(`${at} deprecated`);
  compareMembers(before, after, at, differences);
  return differences;
}

const acceptsAll = (schema: Json): boolean => schema === true || canonical(schema) === "{}";
const membersOf = (schema: Json): Record<string, Json> => (get(schema, "properties") ?? {}) as Record<string, Json>;
const listOf = (value: Json | undefined): Json[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value];

function compareTypes(before: Json, after: Json, at: string, { breaking, widened }: SchemaDifferences): void {
  const [oldValue, newValue] = [listOf(get(before, "type")), listOf(get(after, "type"))];
  if (canonical(oldValue ?? null) === canonical(newValue ?? null)) return;
  const isCovered = (type: Json): boolean =>
    newValue === undefined || newValue.includes(type) || (type === "integer" && newValue.includes("number"));
  ((oldValue ?? everyType).every(isCovered) ? widened : breaking).push(`${at} type`);
}

function compareEnums(before: Json, after: Json, at: string, { breaking, widened }: SchemaDifferences): void {
  const [oldValue, newValue] = [listOf(get(before, "enum")), listOf(get(after, "enum"))];
  const isNarrowed =
    newValue !== undefined && (oldValue === undefined || oldValue.some((item) => !newValue.includes(item)));
  if (isNarrowed) breaking.push(`${at} enum`);
  else if (oldValue !== undefined && oldValue.length !== newValue?.length) widened.push(`${at} enum`);
}

function compareLimits(before: Json, after: Json, at: string, { breaking, widened }: SchemaDifferences): void {
  for (const keyword of [...lowerBounds, ...upperBounds]) {
    const unlimited = lowerBounds.includes(keyword) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const [oldValue, newValue] = [Number(get(before, keyword) ?? unlimited), Number(get(after, keyword) ?? unlimited)];
    if (oldValue === newValue) continue;
    const isHigher = newValue > oldValue;
    (isHigher === lowerBounds.includes(keyword) ? breaking : widened).push(`${at} ${keyword}`);
  }
  if (get(after, "uniqueItems") === true && get(before, "uniqueItems") !== true) breaking.push(`${at} uniqueItems`);
}

function isNarrower(oldValue: Json | undefined, newValue: Json | undefined): boolean {
  if (typeof newValue !== "string") return false;
  const oldPattern = new RegExp(typeof oldValue === "string" ? oldValue : "", "u");
  return probes.some((probe) => oldPattern.test(probe) && !new RegExp(newValue, "u").test(probe));
}

function compareMembers(before: Json, after: Json, at: string, differences: SchemaDifferences): void {
  const addAll = (added: SchemaDifferences): void => {
    for (const key of ["breaking", "removedPlaces", "widened"] as const) differences[key].push(...added[key]);
  };
  const [oldMembers, newMembers] = [membersOf(before), membersOf(after)];
  const [wasOpen, isOpen] = [get(before, "additionalProperties") ?? true, get(after, "additionalProperties") ?? true];
  for (const [name, schema] of Object.entries(oldMembers)) {
    if (newMembers[name] === undefined) differences.removedPlaces.push(`${at}/${name}`);
    addAll(compareSchemas(schema, newMembers[name] ?? isOpen, `${at}/${name}`));
  }
  for (const [name, schema] of Object.entries(newMembers))
    if (oldMembers[name] === undefined && wasOpen !== false) addAll(compareSchemas(wasOpen, schema, `${at}/${name}`));
  addAll(compareSchemas(wasOpen, isOpen, `${at} others`));
  addAll(compareSchemas(get(before, "items") ?? true, get(after, "items") ?? true, `${at}/items`));
}
