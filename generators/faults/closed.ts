import { type Change, isObject, type Json, type JsonObject, pointer, setMember } from "../../schemas/index.ts";
import { type Family, inOtherCase, type Proposal } from "./fault.ts";

/** Members that a closed object does not have: unknown ones, near misses of declared names, and names of other branches. */
export const closedObjectFamily: Family = {
  name: "closed",
  keywords: ["additionalProperties", "unevaluatedProperties"],
  *propose({ keyword, at, value, scope, first, foreign, declared, solve }) {
    if ((keyword.kind !== "additionalProperties" && keyword.kind !== "unevaluatedProperties") || !isObject(value))
      return;
    const add = (fault: string, detail: string | undefined, name: string, content: Json): Proposal => {
      const path = pointer.append(at, name);
      // No JSON Patch library adds a member with this name, so an object that has it replaces the whole object.
      const change: Change =
        name === "__proto__"
          ? { op: "replace", path: at, value: withMember(value, name, content) }
          : { op: "add", path, value: content };
      return {
        fault,
        ...(detail === undefined ? {} : { detail }),
        site: keyword.site,
        at: path,
        change: [change],
        ...(fault === "foreign-field" ? { tags: ["cross-type"] } : {}),
        says: fault === "foreign-field" ? "belongs to another kind of message" : "is not a member of this object",
      };
    };
    yield add("unknown-member", undefined, "unexpected_member", "anything");
    if (!first) return;
    yield add("unknown-member", "null", "unexpected_member", null);
    for (const name of ["constructor", "__proto__", "toString", "x-unexpected", "$unexpected", ""])
      yield add("unknown-member", `named-${name === "" ? "nothing" : name}`, name, "anything");
    const known = declared[0];
    if (known !== undefined) {
      // With the value of the member itself, so that a reader that ignores case accepts it.
      const own = Object.hasOwn(value, known) ? value[known] : undefined;
      yield add("misspelt-member", "other-case", inOtherCase(known), own ?? "anything");
      yield add("misspelt-member", "trailing-space", `${known} `, "anything");
      yield add("misspelt-member", "plural", `${known}s`, "anything");
      yield add("misspelt-member", "other-beginning", `x${known}`, "anything");
      if (known.length > 1) yield add("misspelt-member", "cut-short", known.slice(0, -1), "anything");
    }
    // With a value that is right at its own place, so that a reader that treats all kinds of messages alike accepts it.
    for (const [name, node] of foreign)
      yield add("foreign-field", name, name, solve([{ op: "schema", node, sign: true, scope }]) ?? "anything");
  },
};

function withMember(object: JsonObject, name: string, content: Json): JsonObject {
  const copy: JsonObject = {};
  for (const [own, value] of Object.entries(object)) setMember(copy, own, value);
  setMember(copy, name, content);
  return copy;
}
