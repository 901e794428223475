import { isObject } from "../../schemas/index.ts";
import { forbidMember, requireMembers } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordHandler } from "./handler.ts";

export const requiredKeyword: KeywordHandler<"required"> = {
  readers: { required: (site, value) => [{ kind: "required", site, names: value as string[] }] },
  holds({ names, site }, value, { evaluation }) {
    if (!isObject(value)) return true;
    for (let index = 0; index < names.length; index += 1)
      if (!Object.hasOwn(value, names[index] as string) && evaluation.without !== `${site}/${index}`) return false;
    return true;
  },
  sites: (keyword) => keyword.names.map((_, entry) => ({ location: `${keyword.site}/${entry}`, keyword, entry })),
  assert({ names }, { shape }) {
    for (const name of names) shape.object.required.add(name);
    return true;
  },
  deny({ names }, { entry }) {
    if (entry === undefined) return { op: "or", of: names.map(forbidMember) };
    const others = names.filter((_, index) => index !== entry);
    return { op: "and", of: [forbidMember(names[entry] as string), requireMembers(others)] };
  },
  exercise: () => ({ op: "kinds", kinds: kinds.object }),
};
