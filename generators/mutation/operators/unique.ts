import type { Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { ofArrays } from "../../formulas/facets.ts";
import type { Model, Node } from "../../model/model.ts";
import { solutions } from "../../solve/solve.ts";
import { looser, stricter } from "../extra.ts";
import type { Operator } from "../mutant.ts";

/** Lists without repetition from which those with one are made: so many, of items for which so long is searched. */
const lists = { most: 4, budget: 5000, longest: 50 };

/** Where the second of two equal items stands, in a list of which the last item is put away. */
const habits: [says: string, repeat: (items: readonly Json[]) => Json[]][] = [
  ["only neighbours are compared", (items) => [...items, items[0] as Json]],
  ["only the first item is compared with the others", (items) => [...items, items.at(-1) as Json]],
  ["only the last item is compared with the others", (items) => [items[0] as Json, ...items]],
];

/** A list in which not every two items are compared. */
export const unique: Operator = {
  name: "unique-items",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find(({ kind }) => kind === "uniqueItems");
    if (keyword === undefined) return;
    const { location } = node;
    const found = unrepeated(node, model);
    for (const [says, repeat] of habits) {
      const wrong = found
        .map((list) => repeat(list.slice(0, -1)))
        .filter((list) => holdsAt(model, location, list, { without: keyword.site }));
      const changed = wrong.length === 0 ? undefined : looser(node, raw, keyword, { enum: wrong });
      if (changed !== undefined)
        yield {
          effect: "weaker",
          fine: true,
          soon: true,
          site: keyword.site,
          keyword: "uniqueItems",
          says,
          ...changed,
        };
    }
    const cased = found.flatMap(twins).filter((list) => holdsAt(model, location, list));
    const says = "items in another case are the same";
    if (cased.length > 0)
      yield {
        ...{ effect: "stronger", fine: true, soon: true, site: keyword.site, keyword: "uniqueItems", says },
        ...stricter(node, raw, { not: { enum: cased } }),
      };
  },
};

/** The list with an item in another case beside it, for each of which there is one. */
function twins(list: readonly Json[]): Json[][] {
  return list.flatMap((item) => {
    if (typeof item !== "string") return [];
    const other = item === item.toLowerCase() ? item.toUpperCase() : item.toLowerCase();
    return other === item ? [] : [[...list.filter((each) => each !== item).slice(1), item, other]];
  });
}

/** Lists that are right, of three items or as many more as they must have, different in more than the last. */
function unrepeated({ location, keywords }: Node, { nodes, ...model }: Model): Json[][] {
  const least = keywords.find((each) => each.kind === "minItems");
  const length = Math.max(3, least?.kind === "minItems" ? least.limit : 0);
  if (length > lists.longest) return [];
  const long = ofArrays((array) => {
    array.min = Math.max(array.min, length);
  });
  // What was learnt from other questions would make the answer depend on them, and mutants are made anew to count kills.
  const { root, anchors } = model;
  const apart: Model = { root, anchors, nodes: new Map(nodes) };
  const here = { op: "schema" as const, node: location, sign: true, scope: {} };
  const found = [...solutions(apart, [here, long], { limit: lists.most, budget: lists.budget })];
  const right = found.flatMap((each) => ("found" in each && Array.isArray(each.found) ? [each.found] : []));
  return [...new Map(right.map((list) => [JSON.stringify(list.slice(0, -1)), list])).values()];
}
