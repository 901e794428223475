import { isObject, type Json } from "../../../../schemas/index.ts";
import { eventNames } from "./event.ts";

interface Filter {
  include: string[];
  exclude: string[];
}

const defaultInclude = ["aaep:agent.*"];

/** Finds a type that the granted filters pass although the requested ones do not. `byDefault` is set if only the default filters stop it. */
export function findLeak(
  requestedFilters: Json | undefined,
  grantedFilters: Json | undefined,
): { type: string; byDefault: boolean } | undefined {
  const explicitLists = { include: listOf(requestedFilters, "include"), exclude: listOf(requestedFilters, "exclude") };
  const requested: Filter = { include: explicitLists.include ?? defaultInclude, exclude: explicitLists.exclude ?? [] };
  // A member that the answer omits is granted as it was requested.
  const honored: Filter = {
    include: listOf(grantedFilters, "include") ?? requested.include,
    exclude: listOf(grantedFilters, "exclude") ?? requested.exclude,
  };
  const [passesRequested, passesHonored] = [compileFilter(requested), compileFilter(honored)];
  const leakedTypes = probeTypes(requested, honored).filter((type) => passesHonored(type) && !passesRequested(type));
  const isExcluded = compilePatterns(requested.exclude);
  const seriousLeak = explicitLists.include === undefined ? leakedTypes.find(isExcluded) : leakedTypes[0];
  const type = seriousLeak ?? leakedTypes[0];
  return type === undefined ? undefined : { type, byDefault: seriousLeak === undefined };
}

/** Types that reveal any difference between filters: the core types, the exact types of the filters, and one type for each pattern. */
function probeTypes(...filters: readonly Filter[]): string[] {
  const patterns = filters.flatMap(({ include, exclude }) => [...include, ...exclude]);
  const coreTypes = eventNames.map((name) => `aaep:${name}`);
  return [
    ...new Set([
      ...coreTypes,
      ...patterns.map((pattern) => (pattern.endsWith("*") ? `${pattern.slice(0, -1)}zz` : pattern)),
    ]),
  ];
}

function compileFilter({ include, exclude }: Filter): (type: string) => boolean {
  const [isIncluded, isExcluded] = [compilePatterns(include), compilePatterns(exclude)];
  return (type) => isIncluded(type) && !isExcluded(type);
}

/** Compiles patterns, in which an asterisk at the end matches any string. */
function compilePatterns(patterns: readonly string[]): (type: string) => boolean {
  const exactTypes = new Set(patterns.filter((pattern) => !pattern.endsWith("*")));
  const prefixes = new Set(patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1)));
  return (type) => {
    if (exactTypes.has(type)) return true;
    for (let length = 0; length <= type.length; length++) if (prefixes.has(type.slice(0, length))) return true;
    return false;
  };
}

function listOf(filters: Json | undefined, name: "include" | "exclude"): string[] | undefined {
  const list = isObject(filters) ? filters[name] : undefined;
  // The schema rejects longer strings.
  return Array.isArray(list)
    ? list.filter((item): item is string => typeof item === "string" && item.length > 0 && item.length <= 256)
    : undefined;
}
