import { isObject } from "../../schemas/index.ts";
import { someMember } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import { namedChildren } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const properties: KeywordHandler<"properties"> = {
  ...namedChildren,
  readers: {
    properties: (site, value) => [
      {
        kind: "properties",
        site,
        entries: Object.entries(value as Record<string, string>).map(([name, uri]) => [name, plainLocation(uri)]),
      },
    ],
  },
  holds({ entries }, value, visit) {
    if (!isObject(value)) return true;
    let valid = true;
    for (const [name, node] of entries) {
      if (!Object.hasOwn(value, name) || visit.memberHolds(node, value, name)) continue;
      if (!visit.isObserved) return false;
      valid = false;
    }
    return valid;
  },
  passages: ({ entries }) => entries.map(([key, node]) => ({ node, key, segment: key })),
  sites: () => [],
  assert({ entries }, context) {
    const { shape, path, collectors } = context;
    for (const [name, node] of entries) {
      shape.object.each.push({ test: { of: "name", name }, formula: context.child(node, name) });
      for (const collector of collectors) collector.names.add(name);
    }
    if (path !== undefined) {
      shape.kinds &= kinds.object;
      shape.object.required.add(String(path.key));
    }
    return true;
  },
  deny: ({ entries }, context) => ({
    op: "or",
    of: entries.map(([name, node]) => someMember({ of: "name", name }, context.mustFail(node))),
  }),
  content: ({ kind }) => kind,
};
