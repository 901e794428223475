import { isObject } from "../../schemas/index.ts";
import type { Collector } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { type KeywordOf, type Location, nodeAt } from "../model/model.ts";
import type { AssertContext } from "./assert-context.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

type UnevaluatedKeyword = "unevaluatedProperties" | "unevaluatedItems";

/** Makes the common part of the two keywords. Each collects the parts that other keywords evaluate, and judges the rest. */
function unevaluatedKeyword(
  kind: UnevaluatedKeyword,
  parts: "members" | "items",
): Omit<KeywordHandler<UnevaluatedKeyword>, "holds" | "exercise"> {
  return {
    ...oneChild,
    dependsOnOthers: true,
    readers: { [kind]: (site, value) => [{ kind, site, node: plainLocation(value as string) }] },
    passages: ({ node }) => [{ node, segment: "*" }],
    sites: (keyword, isNever) => (isNever(keyword.node) ? [{ location: keyword.site, keyword }] : []),
    assert(keyword, context) {
      if (isImpossiblePath(keyword.node, context)) return false;
      collect(keyword, parts, context);
      return true;
    },
    deny: ({ site }, { node, scope }) => ({
      op: "schema",
      node,
      sign: true,
      scope,
      focus: { steps: [], end: { break: site } },
    }),
  };
}

/** Whether the path leads into a schema that no value fulfils, whichever parts are evaluated. */
function isImpossiblePath(node: Location, { path, construction }: AssertContext): boolean {
  if (path === undefined || nodeAt(construction.search.model, node).always !== false) return false;
  return !("break" in path.focus.end && path.focus.end.break === node);
}

function collect({ node }: KeywordOf<UnevaluatedKeyword>, parts: "members" | "items", context: AssertContext): void {
  const { path, isBroken, collectors } = context;
  const formula = context.mustHold(node);
  const collector = collectors.at(-1) as Collector;
  collector[parts] = {
    formula,
    sign: !isBroken,
    focused: path === undefined ? undefined : { ...formula, focus: path.focus },
  };
  // For outer keywords, this one evaluates the rest.
  for (const outer of collectors.slice(0, -1)) outer[parts === "members" ? "allMembers" : "allItems"] = true;
}

export const unevaluatedProperties: KeywordHandler<"unevaluatedProperties"> = {
  ...unevaluatedKeyword("unevaluatedProperties", "members"),
  holds({ node }, value, visit) {
    if (!isObject(value)) return true;
    let valid = true;
    for (const name of Object.keys(value))
      if (!visit.marks?.properties.has(name) && !visit.memberHolds(node, value, name)) valid = false;
    return valid;
  },
  exercise: () => ({ op: "kinds", kinds: kinds.object }),
  content: ({ kind }) => kind,
};

export const unevaluatedItems: KeywordHandler<"unevaluatedItems"> = {
  ...unevaluatedKeyword("unevaluatedItems", "items"),
  holds({ node }, value, visit) {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let index = 0; index < value.length; index += 1)
      if (!visit.marks?.items.has(index) && !visit.itemHolds(node, value, index)) valid = false;
    return valid;
  },
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
