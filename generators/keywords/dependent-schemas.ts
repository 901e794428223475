import { isObject } from "../../schemas/index.ts";
import { requireMembers, withoutMember } from "../formulas/facets.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Location } from "../model/model.ts";
import { namedChildren } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { entriesOf, plainLocation } from "./reading.ts";

export const dependentSchemas: KeywordHandler<"dependentSchemas"> = {
  ...namedChildren,
  inPlace: true,
  readers: {
    dependentSchemas: (site, value) => [
      { kind: "dependentSchemas", site, entries: plainEntries(entriesOf(value) as [string, string][]) },
    ],
    // `dependencies` was later split into two keywords.
    dependencies: (site, value) => {
      const entries = entriesOf(value);
      const names = entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
      const schemas = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
      return [
        ...(names.length > 0 ? [{ kind: "dependentRequired" as const, site, entries: names }] : []),
        ...(schemas.length > 0 ? [{ kind: "dependentSchemas" as const, site, entries: plainEntries(schemas) }] : []),
      ];
    },
  },
  holds({ entries }, value, visit) {
    if (!isObject(value)) return true;
    let valid = true;
    for (const [name, node] of entries) if (Object.hasOwn(value, name) && !visit.valueHolds(node, value)) valid = false;
    return valid;
  },
  passages: ({ entries }) => entries.map(([key, node]) => ({ node, key })),
  sites: () => [],
  assert({ entries }, context) {
    const { todo, choices } = context.construction;
    for (const [name, node] of entries) {
      const chosen: Formula = { op: "and", of: [requireMembers([name]), context.inPlace(node, name)] };
      if (context.path?.key === name) todo.push(chosen);
      else choices.push([withoutMember(name), chosen]);
    }
    return true;
  },
  deny: ({ entries }, context) => ({
    op: "or",
    of: entries.map(([name, node]) => ({ op: "and", of: [requireMembers([name]), context.mustFail(node)] })),
  }),
};

function plainEntries(entries: readonly [string, string][]): [string, Location][] {
  return entries.map(([name, uri]) => [name, plainLocation(uri)]);
}
