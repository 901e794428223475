import { canonical, type Json } from "../../../../schemas/index.ts";
import { get } from "./finding.ts";

/** Differences of two schemas, each as a place and a keyword. */
export interface SchemaDifferences {
  /** Messages that were valid and are now invalid. */
  breaking: string[];
  removedPlaces: string[];
  widened: string[];
}

const everyType = ["object", "array", "string", "number", "integer", "boolean", "null"];
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
/** Texts that distinguish two patterns. */
const probes = "a abc-9 A CODE-1 CODE-100 TES-100.5 CUE-1 CUE-100.5 broadcast specialist-code 0 9a".split(" ");

export function compare(old: Json, now: Json, at = ""): SchemaDifferences {
  const all: SchemaDifferences = { breaking: [], removedPlaces: [], widened: [] };
  if (isAll(now)) {
    if (isAll(old)) return all;
    return {
      ...all,
      widened: [`${at} is open`],
      removedPlaces: Object.keys(members(old)).map((name) => `${at}/${name}`),
    };
  }
  if (now === false) return old === false ? all : { ...all, breaking: [`${at} is closed`] };
  if (old === false) return { ...all, widened: [`${at} is allowed`] };
  compareTypes(old, now, at, all);
  compareEnums(old, now, at, all);
  compareLimits(old, now, at, all);
  const [was, is] = [get(old, "pattern"), get(now, "pattern")];
  if (was !== is) (isNarrower(was, is) ? all.breaking : all.widened).push(`${at} pattern`);
  const requiredOf = (schema: Json): Json[] => list(get(schema, "required")) ?? [];
  for (const name of requiredOf(now)) if (!requiredOf(old).includes(name)) all.breaking.push(`${at} requires ${name}`);
  for (const name of requiredOf(old)) if (!requiredOf(now).includes(name)) all.widened.push(`${at} required`);
  if (get(old, "deprecated") !== get(now, "deprecated")) all.widened.push(`${at} deprecated`);
  compareMembers(old, now, at, all);
  return all;
}

const isAll = (schema: Json): boolean => schema === true || canonical(schema) === "{}";
const members = (schema: Json): Record<string, Json> => (get(schema, "properties") ?? {}) as Record<string, Json>;
const list = (value: Json | undefined): Json[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value];

function compareTypes(old: Json, now: Json, at: string, { breaking, widened }: SchemaDifferences): void {
  const [was, is] = [list(get(old, "type")), list(get(now, "type"))];
  if (canonical(was ?? null) === canonical(is ?? null)) return;
  const isCovered = (type: Json): boolean =>
    is === undefined || is.includes(type) || (type === "integer" && is.includes("number"));
  ((was ?? everyType).every(isCovered) ? widened : breaking).push(`${at} type`);
}

function compareEnums(old: Json, now: Json, at: string, { breaking, widened }: SchemaDifferences): void {
  const [was, is] = [list(get(old, "enum")), list(get(now, "enum"))];
  const isNarrowed = is !== undefined && (was === undefined || was.some((each) => !is.includes(each)));
  if (isNarrowed) breaking.push(`${at} enum`);
  else if (was !== undefined && was.length !== is?.length) widened.push(`${at} enum`);
}

function compareLimits(old: Json, now: Json, at: string, { breaking, widened }: SchemaDifferences): void {
  for (const keyword of [...lowerBounds, ...upperBounds]) {
    const none = lowerBounds.includes(keyword) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const [was, is] = [Number(get(old, keyword) ?? none), Number(get(now, keyword) ?? none)];
    if (was === is) continue;
    (is > was === lowerBounds.includes(keyword) ? breaking : widened).push(`${at} ${keyword}`);
  }
  if (get(now, "uniqueItems") === true && get(old, "uniqueItems") !== true) breaking.push(`${at} uniqueItems`);
}

function isNarrower(was: Json | undefined, is: Json | undefined): boolean {
  if (typeof is !== "string") return false;
  const before = new RegExp(typeof was === "string" ? was : "", "u");
  return probes.some((probe) => before.test(probe) && !new RegExp(is, "u").test(probe));
}

function compareMembers(old: Json, now: Json, at: string, all: SchemaDifferences): void {
  const add = (differences: SchemaDifferences): void => {
    for (const key of ["breaking", "removedPlaces", "widened"] as const) all[key].push(...differences[key]);
  };
  const [was, is] = [members(old), members(now)];
  const [wasOpen, isOpen] = [get(old, "additionalProperties") ?? true, get(now, "additionalProperties") ?? true];
  for (const [name, schema] of Object.entries(was)) {
    if (is[name] === undefined) all.removedPlaces.push(`${at}/${name}`);
    add(compare(schema, is[name] ?? isOpen, `${at}/${name}`));
  }
  for (const [name, schema] of Object.entries(is))
    if (was[name] === undefined && wasOpen !== false) add(compare(wasOpen, schema, `${at}/${name}`));
  add(compare(wasOpen, isOpen, `${at} others`));
  add(compare(get(old, "items") ?? true, get(now, "items") ?? true, `${at}/items`));
}
