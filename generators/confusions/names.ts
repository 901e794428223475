import type { JsonObject } from "../../schemas/index.ts";
import { type Confusion, type MemberPlace, withMember, withoutMember } from "./confusion.ts";

/** As in Go's `encoding/json`, and optionally in Jackson and Json.NET: of names that differ only in letter case, the last one counts. */
export const caseOfNames: Confusion = {
  name: "names-without-case",
  says: "a member is accepted under its name in different case",
  shown: "is under a name in different case, which some readers accept",
  appliesTo: ({ name }) => name.toUpperCase() !== name || name.toLowerCase() !== name,
  decode(object, { name }) {
    const other = Object.keys(object).findLast((each) => differsInCase(each, name));
    if (other === undefined) return undefined;
    const value = object[other];
    return value === undefined ? undefined : withMember(withoutMember(object, other), name, value);
  },
  *propose(object, place) {
    const value = object[place.name];
    const others = namesInOtherCase(place);
    // The member under another name.
    if (value !== undefined)
      for (const other of others)
        yield Object.fromEntries(
          Object.entries(object).map(([name, each]) => [name === place.name ? other : name, each]),
        ) as JsonObject;
    // Beside it with the same value: closed objects refuse it for this reason alone.
    if (value !== undefined) for (const other of others) yield withMember(object, other, value);
    for (const other of others) for (const wrong of [null, {}, "", 0]) yield withMember(object, other, wrong);
  },
};

function differsInCase(one: string, other: string): boolean {
  return one !== other && one.toLowerCase() === other.toLowerCase();
}

function namesInOtherCase({ name }: MemberPlace): string[] {
  const first = name.charAt(0);
  const flipped = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  return [...new Set([flipped + name.slice(1), name.toUpperCase(), name.toLowerCase()])].filter((each) =>
    differsInCase(each, name),
  );
}
