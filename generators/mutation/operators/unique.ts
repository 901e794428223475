import { equal, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { looseComparisons } from "../../faults/loose-comparison.ts";
import { ofArrays } from "../../formulas/facets.ts";
import type { Model, Node } from "../../model/model.ts";
import { solutions } from "../../solve/solve.ts";
import type { Operator } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

/** Limits: the number of lists, the search budget for their items, their length, and the number of lists with two similar items. */
const lists = { most: 4, budget: 5000, longest: 50, alike: 24 };

/** The position of the second of two equal items, in a list from which the last item was removed. */
const comparisonHabits: [says: string, repeat: (items: readonly Json[]) => Json[]][] = [
  ["only neighbours are compared", (items) => [...items, items[0] as Json]],
  ["only the first item is compared with the others", (items) => [...items, items.at(-1) as Json]],
  ["only the last item is compared with the others", (items) => [items[0] as Json, ...items]],
];

/** A list with some pairs of items that are not compared. */
export const uniqueItemsOperator: Operator = {
  name: "unique-items",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find(({ kind }) => kind === "uniqueItems");
    if (keyword === undefined) return;
    const { location } = node;
    const found = listsOfDistinct(node, model);
    for (const [says, repeat] of comparisonHabits) {
      const wrong = found
        .map((list) => repeat(list.slice(0, -1)))
        .filter((list) => holdsAt(model, location, list, { without: keyword.site }));
      const changed = wrong.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: wrong });
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
    for (const [says, equals] of sameness) {
      const alike = found
        .flatMap((list) => listsWithConfused(list, equals))
        .filter((list) => holdsAt(model, location, list))
        .slice(0, lists.alike);
      if (alike.length > 0)
        yield {
          effect: "stronger",
          fine: true,
          soon: true,
          site: keyword.site,
          keyword: "uniqueItems",
          says,
          ...strengthen(node, raw, { not: { enum: alike } }),
        };
    }
    for (const [says, wrong] of listsOfConfusable(node, model))
      yield {
        effect: "stronger",
        fine: true,
        soon: true,
        single: true,
        site: keyword.site,
        keyword: "uniqueItems",
        says,
        ...strengthen(node, raw, { not: { enum: [wrong] } }),
      };
  },
};

const letter = "é";

/** Items that are confused with that letter, or lost when items are joined or looked up in an object. */
const confusedTypes: readonly [says: string, other: string][] = [
  ["letters are the same however they are composed", letter.normalize("NFD")],
  ["white space around items does not matter", `${letter} `],
  ["items are compared after they are joined by commas", `${letter},${letter}`],
  ["the names that every object has are items already", "constructor"],
];

/** Valid lists that some implementation refuses: a list with as many confusable items as it may have, and a list for each other one. */
function* listsOfConfusable({ location, keywords }: Node, model: Model): Generator<[says: string, list: Json[]]> {
  const limit = keywords.find((keyword) => keyword.kind === "maxItems");
  const all = [letter, ...confusedTypes.map(([, other]) => other)];
  const mixed = limit?.kind === "maxItems" ? all.slice(0, limit.limit) : all;
  const isMixed = mixed.length > 2 && holdsAt(model, location, mixed);
  if (isMixed) yield ["texts that are nearly alike are the same", mixed];
  for (const [says, other] of confusedTypes) {
    if (isMixed && mixed.includes(other)) continue;
    const list = [[letter, other], [other]].find((each) => holdsAt(model, location, each));
    if (list !== undefined && (list.length > 1 || other === "constructor")) yield [says, list];
  }
}

/** Values that are confused with an item. */
const sameness: readonly [says: string, equals: (item: Json) => Json[]][] = [
  [
    "items in another case are the same",
    (item) => (typeof item === "string" ? [item === item.toLowerCase() ? item.toUpperCase() : item.toLowerCase()] : []),
  ],
  ["null is the same as an empty text", (item) => (item === null ? [""] : [])],
  ...looseComparisons,
];

/** Items that are valid nearly everywhere and can be confused with others. */
const likelyItems: readonly Json[] = [null, 1, 0, "1", [1], [0], ["1"], { a: 1 }, { a: 0 }, { a: "1" }];

/** For each item and a value that is confused with it: the list with both, and a list of the two. */
function listsWithConfused(list: readonly Json[], equals: (item: Json) => Json[]): Json[][] {
  return [...list, ...likelyItems].flatMap((item) =>
    equals(item)
      .filter((other) => !equal(other, item))
      .flatMap((other) => [
        [...list.filter((each) => !equal(each, item)).slice(1), item, other],
        [item, other],
      ]),
  );
}

/** Valid lists of three items, or of more if the schema requires them, that differ before their last item. */
function listsOfDistinct({ location, keywords }: Node, { nodes, ...model }: Model): Json[][] {
  const minimum = keywords.find((keyword) => keyword.kind === "minItems");
  const length = Math.max(3, minimum?.kind === "minItems" ? minimum.limit : 0);
  if (length > lists.longest) return [];
  const hasLength = ofArrays((array) => {
    array.min = Math.max(array.min, length);
  });
  // A fresh model: results of other searches would influence the answer, and mutants are made again to count kills.
  const { root, anchors } = model;
  const fresh: Model = { root, anchors, nodes: new Map(nodes) };
  const here = { op: "schema" as const, node: location, sign: true, scope: {} };
  const found = [...solutions(fresh, [here, hasLength], { limit: lists.most, budget: lists.budget })];
  const right = found.flatMap((solution) =>
    "found" in solution && Array.isArray(solution.found) ? [solution.found] : [],
  );
  return [...new Map(right.map((list) => [JSON.stringify(list.slice(0, -1)), list])).values()];
}
