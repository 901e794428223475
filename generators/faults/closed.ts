import { type Change, isObject, type Json, type JsonObject, pointer, setMember } from "../../schemas/index.ts";
import { type Family, inOtherCase, type Proposal } from "./fault.ts";

/** Members that a closed object does not have: unknown ones, near misses of declared names, and names of other branches. */
export const closedObjectFamily: Family = {
  name: "closed",
  keywords: ["additionalProperties", "unevaluatedProperties"],
  *propose({ keyword, at, value, scope, first, foreign, declared, solve }) {
    if ((keyword.kind !== "additionalProperties" && keyword.kind !== "unevaluatedProperties") || !isObject(value))
      return;
    const addMember = (fault: string, detail: string | undefined, name: string, content: Json): Proposal => {
      const path = pointer.append(at, name);
      // No JSON Patch library adds a member with this name, so the whole object is replaced.
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
    yield addMember("unknown-member", undefined, "unexpected_member", "anything");
    if (!first) return;
    yield addMember("unknown-member", "null", "unexpected_member", null);
    for (const name of ["constructor", "__proto__", "toString", "x-unexpected", "$unexpected", ""])
      yield addMember("unknown-member", `named-${name === "" ? "nothing" : name}`, name, "anything");
    const declaredName = declared[0];
    if (declaredName !== undefined) {
      // Use the declared member's value, so that a reader that ignores case accepts it.
      const declaredValue = Object.hasOwn(value, declaredName) ? value[declaredName] : undefined;
      yield addMember("misspelt-member", "other-case", inOtherCase(declaredName), declaredValue ?? "anything");
      yield addMember("misspelt-member", "trailing-space", `${declaredName} `, "anything");
      yield addMember("misspelt-member", "plural", `${declaredName}s`, "anything");
      yield addMember("misspelt-member", "other-beginning", `x${declaredName}`, "anything");
      if (declaredName.length > 1)
        yield addMember("misspelt-member", "cut-short", declaredName.slice(0, -1), "anything");
    }
    // Use a value that is valid in its own branch, so that a reader that treats all kinds of messages alike accepts it.
    for (const [name, node] of foreign)
      yield addMember("foreign-field", name, name, solve([{ op: "schema", node, sign: true, scope }]) ?? "anything");
  },
};

function withMember(object: JsonObject, name: string, content: Json): JsonObject {
  const copy: JsonObject = {};
  for (const [existingName, value] of Object.entries(object)) setMember(copy, existingName, value);
  setMember(copy, name, content);
  return copy;
}
