import { isObject, type Json, type JsonObject, setMember } from "../../../../schemas/index.ts";
import type { Locations } from "../locations.ts";
import type { Variant } from "./variant.ts";

/** Behaves like Go, where the decoder matches names regardless of case, and the last matching member counts. */
export const anyCaseNames: Variant = {
  name: "any-case-names",
  description: "accepts declared members under names in different case",
  affects: ({ properties }) => isObject(properties),
  wrapJudge: (judge, locations) => {
    const declared = new Set(declaredNames(locations));
    const nameByLowerCase = new Map([...declared].map((name) => [name.toLowerCase(), name]));
    return (document, value) =>
      judge(
        document,
        renameMembers(value, (name) => (declared.has(name) ? name : (nameByLowerCase.get(name.toLowerCase()) ?? name))),
      );
  },
};

function* declaredNames({ schemasByLocation }: Locations): Generator<string> {
  for (const { properties } of schemasByLocation.values()) if (isObject(properties)) yield* Object.keys(properties);
}

function renameMembers(value: Json, nameOf: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => renameMembers(item, nameOf));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value)) setMember(copy, nameOf(name), renameMembers(member, nameOf));
  return copy;
}
