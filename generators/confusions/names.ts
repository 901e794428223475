import type { JsonObject } from "../../schemas/index.ts";
import { type Confusion, type MemberPlace, withMember, withoutMember } from "./confusion.ts";

/** In Go's `encoding/json`, and optionally in Jackson and Json.NET, the last of several names that differ only in letter case counts. */
export const caseOfNames: Confusion = {
  name: "names-without-case",
  says: "a member is accepted under its name in different case",
  shown: "is under a name in different case, which some readers accept",
  appliesTo: ({ name }) => name.toUpperCase() !== name || name.toLowerCase() !== name,
  decode(object, { name }) {
    const foundName = Object.keys(object).findLast((member) => differsInCase(member, name));
    if (foundName === undefined) return undefined;
    const value = object[foundName];
    return value === undefined ? undefined : withMember(withoutMember(object, foundName), name, value);
  },
  *propose(object, place) {
    const value = object[place.name];
    const otherNames = namesInOtherCase(place);
    // The member under another name only.
    if (value !== undefined)
      for (const otherName of otherNames)
        yield Object.fromEntries(
          Object.entries(object).map(([name, candidate]) => [name === place.name ? otherName : name, candidate]),
        ) as JsonObject;
    // A second member with the same value. A closed object refuses it only because of its name.
    if (value !== undefined) for (const second of otherNames) yield withMember(object, second, value);
    for (const otherName of otherNames)
      for (const wrongValue of [null, {}, "", 0]) yield withMember(object, otherName, wrongValue);
  },
};

function differsInCase(first: string, other: string): boolean {
  return first !== other && first.toLowerCase() === other.toLowerCase();
}

function namesInOtherCase({ name }: MemberPlace): string[] {
  const first = name.charAt(0);
  const flipped = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  return [...new Set([flipped + name.slice(1), name.toUpperCase(), name.toLowerCase()])].filter((each) =>
    differsInCase(each, name),
  );
}
