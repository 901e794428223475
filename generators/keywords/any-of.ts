import type { Formula } from "../formulas/formula.ts";
import type { KeywordOf, Location } from "../model/model.ts";
import type { AssertContext, FocusStep } from "./assert-context.ts";
import { branchHandler, countMatching } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const anyOf: KeywordHandler<"anyOf"> = {
  ...branchHandler("anyOf"),
  // `without` may name a branch. It then counts as fulfilled, and so does the whole keyword.
  holds: ({ nodes }, value, visit) =>
    countMatching(nodes, value, visit, 1) > 0 ||
    (visit.evaluation.without !== undefined && nodes.includes(visit.evaluation.without)),
  assert(keyword, context) {
    if (context.construction.into.length > 0) decideBranches(keyword, context);
    else chooseBranch(keyword, context);
    return true;
  },
  deny: ({ nodes }, context) => ({ op: "and", of: nodes.map((node) => context.mustFail(node)) }),
};

function chooseBranch({ nodes }: KeywordOf<"anyOf">, context: AssertContext): void {
  const { path, construction } = context;
  const chosen = path?.key;
  if (typeof chosen !== "number") {
    construction.choices.push(nodes.map((node, index) => context.inPlace(node, index)));
    return;
  }
  construction.todo.push(context.inPlace(nodes[chosen] as Location, chosen));
  // A value that breaks only this branch could match another.
  if (path !== undefined && "break" in path.focus.end)
    construction.todo.push(...nodes.filter((_, index) => index !== chosen).map((node) => context.mustFail(node)));
}

/** The maximum number of branches for which all combinations are tried. */
const maxDecided = 10;

/** With an outer `unevaluated*`, every branch must be decided, because each valid one marks its evaluated parts. */
function decideBranches({ nodes }: KeywordOf<"anyOf">, context: AssertContext): void {
  const { path, construction } = context;
  if (nodes.length > maxDecided) construction.search.giveUp(`the combinations of ${nodes.length} branches`);
  construction.choices.push(
    subsets(nodes.length)
      .filter((set) => path === undefined || includesPath(set, path))
      .map(
        (set): Formula => ({
          op: "and",
          of: nodes.map((node, index) => (set.includes(index) ? context.inPlace(node, index) : context.avoid(node))),
        }),
      ),
  );
}

/** Lists all non-empty subsets, small ones first. For a large set, only the singletons and the whole set. */
function subsets(size: number): number[][] {
  if (size > maxDecided)
    return [...Array.from({ length: size }, (_, index) => [index]), Array.from({ length: size }, (_, index) => index)];
  // The bits of `bits + 1` are the members of a subset.
  const allSubsets = Array.from({ length: 2 ** size - 1 }, (_, bits) =>
    Array.from({ length: size }, (_, index) => index).filter((index) => ((bits + 1) >> index) & 1),
  );
  return allSubsets.sort((a, b) => a.length - b.length);
}

/** Whether the chosen branches contain the one on the path, and no other if that one must be broken. */
function includesPath(set: readonly number[], { key, focus }: FocusStep): boolean {
  return set.includes(key as number) && (set.length === 1 || !("break" in focus.end));
}
