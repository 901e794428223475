import { isObject } from "../../schemas/index.ts";
import { someMember } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation, safePattern } from "./reading.ts";

export const patternProperties: KeywordHandler<"patternProperties"> = {
  readers: {
    patternProperties: (site, value) => [
      {
        kind: "patternProperties",
        site,
        entries: (value as [RegExp, string][]).map(([regexp, uri]) => [
          regexp.source,
          safePattern(regexp),
          plainLocation(uri),
        ]),
      },
    ],
  },
  holds({ entries }, value, visit) {
    if (!isObject(value)) return true;
    let valid = true;
    for (const [, regexp, node] of entries)
      for (const name of Object.keys(value))
        if (regexp.test(name) && !visit.memberHolds(node, value, name)) valid = false;
    return valid;
  },
  children: ({ entries }) => entries.map(([, , node]) => node),
  relocate: (keyword, relocate) => ({
    ...keyword,
    entries: keyword.entries.map(([source, regexp, node]) => [source, regexp, relocate(node)]),
  }),
  passages: ({ entries }) => entries.map(([key, , node]) => ({ node, key, segment: "*" })),
  sites: () => [],
  assert({ entries }, context) {
    const { shape, path, collectors } = context;
    for (const [source, regexp, node] of entries) {
      shape.object.each.push({ test: { of: "pattern", regexp }, formula: context.childOnAnyPath(node, source) });
      for (const collector of collectors) collector.patterns.push(regexp);
      if (path?.key === source) {
        shape.kinds &= kinds.object;
        shape.object.some.push({ test: { of: "pattern", regexp }, formula: context.child(node, source) });
      }
    }
    return true;
  },
  deny: ({ entries }, context) => ({
    op: "or",
    of: entries.map(([, regexp, node]) => someMember({ of: "pattern", regexp }, context.mustFail(node))),
  }),
};
