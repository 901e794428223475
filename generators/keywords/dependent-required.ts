import { isObject } from "../../schemas/index.ts";
import { forbidMember, ofObjects, requireMembers, withoutMember } from "../formulas/facets.ts";
import type { Formula } from "../formulas/formula.ts";
import type { KeywordHandler } from "./handler.ts";

export const dependentRequired: KeywordHandler<"dependentRequired"> = {
  isPlain: true,
  readers: {
    dependentRequired: (site, value) => [{ kind: "dependentRequired", site, entries: value as [string, string[]][] }],
  },
  holds({ entries }, value) {
    if (!isObject(value)) return true;
    for (const [name, required] of entries)
      if (Object.hasOwn(value, name) && !required.every((member) => Object.hasOwn(value, member))) return false;
    return true;
  },
  assert({ entries }, { construction }) {
    for (const [name, required] of entries)
      construction.choices.push([withoutMember(name), requireMembers([name, ...required])]);
    return true;
  },
  deny: ({ entries }) => ({
    op: "or",
    of: entries.flatMap(([name, required]) =>
      required.map((member): Formula => ({ op: "and", of: [requireMembers([name]), forbidMember(member)] })),
    ),
  }),
  exercise: ({ entries: [entry] }) =>
    ofObjects(({ required }) => {
      if (entry !== undefined) required.add(entry[0]);
    }),
};
