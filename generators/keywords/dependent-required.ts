import { isObject } from "../../schemas/index.ts";
import { forbidMember, ofObjects, requireMembers, withoutMember } from "../formulas/facets.ts";
import type { Formula } from "../formulas/formula.ts";
import type { KeywordHandler } from "./handler.ts";

export const dependentRequired: KeywordHandler<"dependentRequired"> = {
  isPlain: true,
  reads: {
    dependentRequired: (site, value) => [{ kind: "dependentRequired", site, entries: value as [string, string[]][] }],
  },
  holds({ entries }, value) {
    if (!isObject(value)) return true;
    for (const [name, required] of entries)
      if (Object.hasOwn(value, name) && !required.every((each) => Object.hasOwn(value, each))) return false;
    return true;
  },
  assert({ entries }, { construction: taking }) {
    for (const [name, required] of entries)
      taking.choices.push([withoutMember(name), requireMembers([name, ...required])]);
    return true;
  },
  deny: ({ entries }) => ({
    op: "or",
    of: entries.flatMap(([name, required]) =>
      required.map((each): Formula => ({ op: "and", of: [requireMembers([name]), forbidMember(each)] })),
    ),
  }),
  exercise: ({ entries: [entry] }) =>
    ofObjects(({ required }) => {
      if (entry !== undefined) required.add(entry[0]);
    }),
};
