import { isObject, type Json, ownMember, pointer } from "../../schemas/index.ts";
import { requireMembers } from "../formulas/facets.ts";
import { type Model, nodeAt } from "../model/model.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";

/** A value that `not` excludes. If `not` forbids members, they are added; otherwise a forbidden value replaces the value. */
export const forbiddenFamily: Family = {
  name: "forbidden",
  keywords: ["not"],
  *propose({ model, keyword, at, value, scope, solve }) {
    if (keyword.kind !== "not") return;
    const names = isObject(value) ? requiredIn(model, keyword.node) : [];
    for (const name of names) {
      const forbidden = solve([{ op: "schema", node: keyword.node, sign: true, scope }, requireMembers([name])], value);
      const path = pointer.append(at, name);
      const contents: [string | undefined, Json][] = [
        [undefined, isObject(forbidden) ? (ownMember(forbidden, name) ?? "anything") : "anything"],
        ["null", null],
        ["text", "anything"],
      ];
      for (const [detail, content] of contents) {
        yield {
          fault: "foreign-field",
          ...(detail === undefined ? {} : { detail }),
          site: keyword.site,
          at: path,
          change: [{ op: "add", path, value: content }],
          says: "is present but not allowed",
          tags: ["cross-type"],
        } satisfies Proposal;
      }
    }
    const forbiddenValue = solve([{ op: "schema", node: keyword.node, sign: true, scope }], value);
    if (names.length === 0 && forbiddenValue !== undefined) {
      yield {
        fault: "forbidden-value",
        site: keyword.site,
        at,
        change: replace(at, forbiddenValue),
        says: `is ${show(forbiddenValue)}, which is not allowed`,
      };
    }
  },
};

const maxDepth = 4;

/** Lists the names that the schema requires on some branch. */
function requiredIn(model: Model, location: string, depth = 0): string[] {
  if (depth > maxDepth) return [];
  return [
    ...new Set(
      nodeAt(model, location).keywords.flatMap((keyword): string[] => {
        if (keyword.kind === "required") return keyword.names;
        if (keyword.kind === "anyOf" || keyword.kind === "oneOf" || keyword.kind === "allOf")
          return keyword.nodes.flatMap((node) => requiredIn(model, node, depth + 1));
        return keyword.kind === "ref" ? requiredIn(model, keyword.node, depth + 1) : [];
      }),
    ),
  ];
}
