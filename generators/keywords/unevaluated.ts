import { isObject } from "../../schemas/index.ts";
import type { Collector } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { type KeywordOf, type Location, nodeAt } from "../model/model.ts";
import type { AssertContext } from "./assert-context.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

type UnevaluatedKeyword = "unevaluatedProperties" | "unevaluatedItems";

/** The common part of the two keywords: each collects the parts that others evaluate, and judges the rest. */
function unevaluatedKeyword(
  kind: UnevaluatedKeyword,
  parts: "members" | "items",
): Omit<KeywordHandler<UnevaluatedKeyword>, "holds" | "exercise"> {
  return {
    ...oneChild,
    dependsOnOthers: true,
    reads: { [kind]: (site, value) => [{ kind, site, node: plainLocation(value as string) }] },
    passages: ({ node }) => [{ node, segment: "*" }],
    sites: (keyword, isNever) => (isNever(keyword.node) ? [{ location: keyword.site, keyword }] : []),
    assert(keyword, context) {
      if (leadsToNothing(keyword.node, context)) return false;
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

/** Whether the path leads into a schema that nothing fulfils, so that no choice of evaluated parts helps. */
function leadsToNothing(node: Location, { path: way, construction: taking }: AssertContext): boolean {
  if (way === undefined || nodeAt(taking.search.model, node).always !== false) return false;
  return !("break" in way.focus.end && way.focus.end.break === node);
}

function collect({ node }: KeywordOf<UnevaluatedKeyword>, parts: "members" | "items", context: AssertContext): void {
  const { path: way, isBroken, collectors } = context;
  const formula = context.mustHold(node);
  const own = collectors.at(-1) as Collector;
  own[parts] = { formula, sign: !isBroken, focused: way === undefined ? undefined : { ...formula, focus: way.focus } };
  // For outer keywords, this one evaluates the rest.
  for (const outer of collectors.slice(0, -1)) outer[parts === "members" ? "allMembers" : "allItems"] = true;
}

export const unevaluatedProperties: KeywordHandler<"unevaluatedProperties"> = {
  ...unevaluatedKeyword("unevaluatedProperties", "members"),
  holds({ node }, value, visit) {
    if (!isObject(value)) return true;
    let valid = true;
    for (const name of Object.keys(value))
      if (!visit.marks?.properties.has(name) && !visit.member(node, value, name)) valid = false;
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
      if (!visit.marks?.items.has(index) && !visit.item(node, value, index)) valid = false;
    return valid;
  },
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
