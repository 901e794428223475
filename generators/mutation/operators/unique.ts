import { equal, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { looseComparisons } from "../../faults/loose-comparison.ts";
import { ofArrays } from "../../formulas/facets.ts";
import type { Model, Node } from "../../model/model.ts";
import { solutions } from "../../solve/solve.ts";
import type { Operator } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

/** The maximum number of lists, the search budget for them, their maximum length, and the maximum number of lists with two similar items. */
const maxima = { lists: 4, budget: 5000, length: 50, confusedLists: 24 };

/** Habits of comparison, with a function that repeats an item of a list so that the habit misses the repetition. */
const comparisonHabits: [says: string, repeat: (items: readonly Json[]) => Json[]][] = [
  ["only neighbours are compared", (items) => [...items, items[0] as Json]],
  ["only the first item is compared with the others", (items) => [...items, items.at(-1) as Json]],
  ["only the last item is compared with the others", (items) => [items[0] as Json, ...items]],
];

/** Mutants of `uniqueItems`: some pairs of items are not compared, or different items count as equal. */
export const uniqueOperator: Operator = {
  name: "unique-items",
  *mutate(node, model, raw) {
    const keyword = node.keywords.find(({ kind }) => kind === "uniqueItems");
    if (keyword === undefined) return;
    const { location } = node;
    const distinctLists = makeDistinctLists(node, model);
    for (const [says, repeat] of comparisonHabits) {
      const repetitiveLists = distinctLists
        .map((list) => repeat(list.slice(0, -1)))
        .filter((list) => holdsAt(model, location, list, { without: keyword.site }));
      const changed =
        repetitiveLists.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: repetitiveLists });
      if (changed !== undefined)
        yield {
          effect: "weaker",
          isFineGrained: true,
          isTriedEarly: true,
          site: keyword.site,
          keyword: "uniqueItems",
          says,
          ...changed,
        };
    }
    for (const [says, equals] of equalityHabits) {
      const confusedLists = distinctLists
        .flatMap((list) => addConfusedItems(list, equals))
        .filter((list) => holdsAt(model, location, list))
        .slice(0, maxima.confusedLists);
      if (confusedLists.length > 0)
        yield {
          effect: "stronger",
          isFineGrained: true,
          isTriedEarly: true,
          site: keyword.site,
          keyword: "uniqueItems",
          says,
          ...strengthen(node, raw, { not: { enum: confusedLists } }),
        };
    }
    for (const [says, list] of makeConfusableLists(node, model))
      yield {
        effect: "stronger",
        isFineGrained: true,
        isTriedEarly: true,
        needsOneKill: true,
        site: keyword.site,
        keyword: "uniqueItems",
        says,
        ...strengthen(node, raw, { not: { enum: [list] } }),
      };
  },
};

const letter = "é";

/** Items that some implementations confuse with `letter`, with other items after joining, or with an inherited name. */
const lookalikes: readonly [says: string, other: string][] = [
  ["letters are the same however they are composed", letter.normalize("NFD")],
  ["white space around items does not matter", `${letter} `],
  ["items are compared after they are joined by commas", `${letter},${letter}`],
  ["the names that every object has are items already", "constructor"],
];

/** Makes valid lists that some implementations refuse: one with as many lookalikes as possible, and one for each remaining lookalike. */
function* makeConfusableLists({ location, keywords }: Node, model: Model): Generator<[says: string, list: Json[]]> {
  const limit = keywords.find((keyword) => keyword.kind === "maxItems");
  const letters = [letter, ...lookalikes.map(([, lookalike]) => lookalike)];
  const mixedList = limit?.kind === "maxItems" ? letters.slice(0, limit.limit) : letters;
  const isMixed = mixedList.length > 2 && holdsAt(model, location, mixedList);
  if (isMixed) yield ["texts that are nearly alike are the same", mixedList];
  for (const [says, lookalike] of lookalikes) {
    if (isMixed && mixedList.includes(lookalike)) continue;
    const list = [[letter, lookalike], [lookalike]].find((candidate) => holdsAt(model, location, candidate));
    if (list !== undefined && (list.length > 1 || lookalike === "constructor")) yield [says, list];
  }
}

/** Habits of comparison, with the values that they treat as equal to an item. */
const equalityHabits: readonly [says: string, equals: (item: Json) => Json[]][] = [
  [
    "items in another case are the same",
    (item) => (typeof item === "string" ? [item === item.toLowerCase() ? item.toUpperCase() : item.toLowerCase()] : []),
  ],
  ["null is the same as an empty text", (item) => (item === null ? [""] : [])],
  ...looseComparisons,
];

/** Items that nearly every schema allows and that can be confused with others. */
const likelyItems: readonly Json[] = [null, 1, 0, "1", [1], [0], ["1"], { a: 1 }, { a: 0 }, { a: "1" }];

/** Lists, for each item and each value that is confused with it, the list with both, and a list of only these two. */
function addConfusedItems(list: readonly Json[], equals: (item: Json) => Json[]): Json[][] {
  return [...list, ...likelyItems].flatMap((item) =>
    equals(item)
      .filter((equivalent) => !equal(equivalent, item))
      .flatMap((equivalent) => [
        [...list.filter((listItem) => !equal(listItem, item)).slice(1), item, equivalent],
        [item, equivalent],
      ]),
  );
}

/** Makes valid lists of three items, or of as many as the schema requires, that differ before their last item. */
function makeDistinctLists({ location, keywords }: Node, { nodes, ...model }: Model): Json[][] {
  const minimum = keywords.find((keyword) => keyword.kind === "minItems");
  const length = Math.max(3, minimum?.kind === "minItems" ? minimum.limit : 0);
  if (length > maxima.length) return [];
  const hasLength = ofArrays((array) => {
    array.min = Math.max(array.min, length);
  });
  // Cached results of other searches would influence the answer, so the model is copied. Mutants are made again to count kills, and must be the same.
  const { root, anchors } = model;
  const freshModel: Model = { root, anchors, nodes: new Map(nodes) };
  const isValidHere = { op: "schema" as const, node: location, sign: true, scope: {} };
  const listSolutions = [
    ...solutions(freshModel, [isValidHere, hasLength], { limit: maxima.lists, budget: maxima.budget }),
  ];
  const validLists = listSolutions.flatMap((solution) =>
    "found" in solution && Array.isArray(solution.found) ? [solution.found] : [],
  );
  return [...new Map(validLists.map((list) => [JSON.stringify(list.slice(0, -1)), list])).values()];
}
