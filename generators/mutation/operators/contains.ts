import { isObject, type JsonObject } from "../../../schemas/index.ts";
import type { KeywordOf, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";
import { isNamed, strengthenWith } from "../schema-edits.ts";

type ContainsKeyword = KeywordOf<"contains">;

/** Mutants of `contains`: it is not checked, only the first item may match, or one more or fewer match is needed. */
export const containsOperator: Operator = {
  name: "contains-count",
  *mutate(node, _model, raw, { dialect }) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "contains") continue;
      const { site, min, max, marks } = keyword;
      if (min > 0 || max !== Infinity) yield uncheckedMutant(node, keyword);
      const isSingle = min === 1 && (dialect === "" || dialect.includes("2020-12"));
      if (isSingle && isObject(raw.contains) && !isNamed(raw.contains))
        yield firstItemMutant(node, keyword, raw, raw.contains);
      // Drafts before 2019-09 have no counts.
      if (!marks) continue;
      for (const step of [-1, 1]) {
        const isUnrestricted = min + step === 0 && max === Infinity;
        if (min + step >= 0 && !isUnrestricted)
          yield countMutant(node, keyword, { raw, end: "min", value: min + step });
        if (max !== Infinity && max + step >= 0)
          yield countMutant(node, keyword, { raw, end: "max", value: max + step });
      }
      if (max === Infinity) continue;
      const at = `${node.location}/maxContains`;
      yield {
        effect: "weaker",
        site: at,
        entryOf: site,
        keyword: "contains",
        says: "maxContains is not checked",
        edits: [{ at }],
        nodes: [withKeyword(node, keyword, { ...keyword, max: Infinity })],
      };
    }
  },
};

function uncheckedMutant(node: Node, keyword: ContainsKeyword): UnnamedMutant {
  return {
    // `contains` evaluates items, so without it `unevaluatedItems` may refuse more.
    effect: keyword.marks ? "other" : "weaker",
    site: keyword.site,
    keyword: "contains",
    says: "contains is not checked",
    edits: [{ at: keyword.site }],
    nodes: [withKeyword(node, keyword)],
  };
}

function firstItemMutant(node: Node, keyword: ContainsKeyword, raw: JsonObject, itemSchema: JsonObject): UnnamedMutant {
  const { resource } = node;
  return {
    effect: "stronger",
    site: keyword.site,
    keyword: "contains",
    says: "the first item has to match contains",
    ...strengthenWith(node, raw, { prefixItems: [itemSchema] }, (location) => [
      {
        location,
        resource,
        keywords: [{ kind: "prefixItems", site: `${location}/prefixItems`, nodes: [keyword.node] }],
      },
    ]),
  };
}

function countMutant(
  node: Node,
  keyword: ContainsKeyword,
  { raw, end, value }: { raw: JsonObject; end: "min" | "max"; value: number },
): UnnamedMutant {
  const name = `${end}Contains`;
  const at = `${node.location}/${name}`;
  return {
    effect: (end === "min") === value < keyword[end] ? "weaker" : "stronger",
    ...(Object.hasOwn(raw, name) ? { site: at, entryOf: keyword.site } : { site: keyword.site }),
    keyword: "contains",
    says: `${name} is ${value} instead of ${keyword[end]}`,
    edits: [{ at, value }],
    nodes: [withKeyword(node, keyword, { ...keyword, [end]: value })],
  };
}
