import { isObject, type Json } from "../../../../schemas/index.ts";
import { eventNames } from "./event.ts";

interface Filter {
  include: string[];
  exclude: string[];
}

const defaultInclude = ["aaep:agent.*"];

/** A type that the granted filters pass although the requested filters exclude it; `byDefault` if only the default excludes it. */
export function findLeak(
  asked: Json | undefined,
  granted: Json | undefined,
): { type: string; byDefault: boolean } | undefined {
  const wanted = { include: listOf(asked, "include"), exclude: listOf(asked, "exclude") };
  const requested: Filter = { include: wanted.include ?? defaultInclude, exclude: wanted.exclude ?? [] };
  // A member that the answer omits is granted as it was requested.
  const honored: Filter = {
    include: listOf(granted, "include") ?? requested.include,
    exclude: listOf(granted, "exclude") ?? requested.exclude,
  };
  const [lets, grants] = [deliver(requested), deliver(honored)];
  const leaks = probeTypes(requested, honored).filter((type) => grants(type) && !lets(type));
  const isExcluded = compilePatterns(requested.exclude);
  const grave = wanted.include === undefined ? leaks.find(isExcluded) : leaks[0];
  const type = grave ?? leaks[0];
  return type === undefined ? undefined : { type, byDefault: grave === undefined };
}

/** Types that reveal any difference between two filters: core types, named types, and one type below each pattern. */
function probeTypes(...filters: readonly Filter[]): string[] {
  const patterns = filters.flatMap(({ include, exclude }) => [...include, ...exclude]);
  const core = eventNames.map((name) => `aaep:${name}`);
  return [
    ...new Set([
      ...core,
      ...patterns.map((pattern) => (pattern.endsWith("*") ? `${pattern.slice(0, -1)}zz` : pattern)),
    ]),
  ];
}

function deliver({ include, exclude }: Filter): (type: string) => boolean {
  const [included, excluded] = [compilePatterns(include), compilePatterns(exclude)];
  return (type) => included(type) && !excluded(type);
}

/** An asterisk matches any text, but only at the end. */
function compilePatterns(patterns: readonly string[]): (type: string) => boolean {
  const whole = new Set(patterns.filter((pattern) => !pattern.endsWith("*")));
  const beginnings = new Set(
    patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1)),
  );
  return (type) => {
    if (whole.has(type)) return true;
    for (let length = 0; length <= type.length; length++) if (beginnings.has(type.slice(0, length))) return true;
    return false;
  };
}

function listOf(filters: Json | undefined, name: "include" | "exclude"): string[] | undefined {
  const list = isObject(filters) ? filters[name] : undefined;
  // Longer texts are not types: the schema refuses them.
  return Array.isArray(list)
    ? list.filter((each): each is string => typeof each === "string" && each.length > 0 && each.length <= 256)
    : undefined;
}
