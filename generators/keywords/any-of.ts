import type { Formula } from "../formulas/formula.ts";
import type { KeywordOf, Location } from "../model/model.ts";
import type { Asserting, TakenWay } from "./asserting.ts";
import { branchHandler, countHolding } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const anyOf: KeywordHandler<"anyOf"> = {
  ...branchHandler("anyOf"),
  // If one branch counts as fulfilled, the whole does.
  holds: ({ nodes }, value, visit) =>
    countHolding(nodes, value, visit, 1) > 0 ||
    (visit.evaluation.without !== undefined && nodes.includes(visit.evaluation.without)),
  assert(keyword, asserting) {
    if (asserting.taking.into.length > 0) decideAll(keyword, asserting);
    else chooseOne(keyword, asserting);
    return true;
  },
  deny: ({ nodes }, denying) => ({ op: "and", of: nodes.map((node) => denying.no(node)) }),
};

function chooseOne({ nodes }: KeywordOf<"anyOf">, asserting: Asserting): void {
  const { way, taking } = asserting;
  const chosen = way?.key;
  if (typeof chosen !== "number") {
    taking.choices.push(nodes.map((node, index) => asserting.inPlace(node, index)));
    return;
  }
  taking.todo.push(asserting.inPlace(nodes[chosen] as Location, chosen));
  // A value that breaks only one branch would pass by another.
  if (way !== undefined && "break" in way.focus.end)
    taking.todo.push(...nodes.filter((_, index) => index !== chosen).map((node) => asserting.not(node)));
}

const maxDecided = 10;

/** With `unevaluated*` around, every branch must be decided, since each valid one marks its evaluated parts. */
function decideAll({ nodes }: KeywordOf<"anyOf">, asserting: Asserting): void {
  const { way, taking } = asserting;
  if (nodes.length > maxDecided) taking.search.giveUp(`the combinations of ${nodes.length} branches`);
  taking.choices.push(
    subsets(nodes.length)
      .filter((set) => way === undefined || goesThrough(set, way))
      .map(
        (set): Formula => ({
          op: "and",
          of: nodes.map((node, index) =>
            set.includes(index) ? asserting.inPlace(node, index) : asserting.unless(node),
          ),
        }),
      ),
  );
}

/** All non-empty subsets, small ones first; of too many members only the single ones and the whole. */
function subsets(size: number): number[][] {
  if (size > maxDecided)
    return [...Array.from({ length: size }, (_, index) => [index]), Array.from({ length: size }, (_, index) => index)];
  const all = Array.from({ length: 2 ** size - 1 }, (_, bits) =>
    Array.from({ length: size }, (_, index) => index).filter((index) => ((bits + 1) >> index) & 1),
  );
  return all.sort((a, b) => a.length - b.length);
}

/** Whether the chosen branches contain the one on the path, and no other if that one must be broken. */
function goesThrough(set: readonly number[], { key, focus }: TakenWay): boolean {
  return set.includes(key as number) && (set.length === 1 || !("break" in focus.end));
}
