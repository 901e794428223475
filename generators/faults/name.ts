import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Family, Proposal } from "./fault.ts";

/** A member with a name that is not allowed. Its value is that of another member, which satisfies most other assertions. */
export const name: Family = {
  name: "name",
  keywords: ["propertyNames"],
  *propose({ keyword, at, value, scope, solve }) {
    if (keyword.kind !== "propertyNames" || !isObject(value)) return;
    const badName = solve([
      { op: "schema", node: keyword.node, sign: false, scope },
      { op: "kinds", kinds: kinds.string },
    ]);
    if (typeof badName !== "string") return;
    const path = pointer.append(at, badName);
    const content: Json = Object.values(value)[0] ?? "anything";
    yield {
      fault: "bad-name",
      site: keyword.site,
      at: path,
      change: [{ op: "add", path, value: content }],
      says: "has a name that is not allowed",
    } satisfies Proposal;
  },
};
