import { isObject } from "../../schemas/index.ts";
import { someMember } from "../formulas/facets.ts";
import type { MemberTest } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordOf } from "../model/model.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation, safePattern, siblingValue } from "./reading.ts";

export const additionalProperties: KeywordHandler<"additionalProperties"> = {
  ...oneChild,
  readers: {
    additionalProperties: (site, value, siblings) => {
      const patterns = (siblingValue(siblings, "patternProperties") ?? []) as [RegExp, string][];
      return [
        {
          kind: "additionalProperties",
          site,
          names: Object.keys(siblingValue(siblings, "properties") ?? {}),
          patterns: patterns.map(([regexp]) => [regexp.source, safePattern(regexp)]),
          node: plainLocation((value as [RegExp, string])[1]),
        },
      ];
    },
  },
  holds(keyword, value, visit) {
    if (!isObject(value)) return true;
    const rest = restOf(keyword);
    let valid = true;
    for (const name of Object.keys(value)) {
      if (!isAdditional(rest, name) || visit.memberHolds(keyword.node, value, name)) continue;
      if (!visit.isObserved) return false;
      valid = false;
    }
    return valid;
  },
  passages: ({ node }) => [{ node, segment: "*" }],
  sites: (keyword, isNever) => (isNever(keyword.node) ? [{ location: keyword.site, keyword }] : []),
  assert(keyword, context) {
    const { shape, path, collectors } = context;
    const test = restOf(keyword);
    shape.object.each.push({ test, formula: context.childOnAnyPath(keyword.node) });
    for (const collector of collectors) collector.allMembers = true;
    if (path !== undefined) {
      shape.kinds &= kinds.object;
      shape.object.some.push({ test, formula: context.child(keyword.node) });
    }
    return true;
  },
  deny: (keyword, context) => someMember(restOf(keyword), context.mustFail(keyword.node)),
  exercise: () => ({ op: "kinds", kinds: kinds.object }),
  content: ({ kind }) => kind,
};

function isAdditional({ names, patterns }: Rest, name: string): boolean {
  if (names.has(name)) return false;
  for (const regexp of patterns) if (regexp.test(name)) return false;
  return true;
}

type Rest = Extract<MemberTest, { of: "rest" }>;

const rests = new WeakMap<KeywordOf<"additionalProperties">, Rest>();

/** Cached: it is used at every step of a search and for every member of a message. */
function restOf(keyword: KeywordOf<"additionalProperties">): Rest {
  let rest = rests.get(keyword);
  if (rest === undefined) {
    const { names, patterns } = keyword;
    rest = { of: "rest", names: new Set(names), patterns: patterns.map(([, regexp]) => regexp) };
    rests.set(keyword, rest);
  }
  return rest;
}
