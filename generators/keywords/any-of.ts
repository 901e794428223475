import type { Formula } from "../formulas/formula.ts";
import type { KeywordOf, Location } from "../model/model.ts";
import type { AssertContext, FocusStep } from "./assert-context.ts";
import { branchHandler, countMatching } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const anyOf: KeywordHandler<"anyOf"> = {
  ...branchHandler("anyOf"),
  // If one branch counts as fulfilled, so does the whole.
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
  const { path, construction: taking } = context;
  const chosen = path?.key;
  if (typeof chosen !== "number") {
    taking.choices.push(nodes.map((node, index) => context.inPlace(node, index)));
    return;
  }
  taking.todo.push(context.inPlace(nodes[chosen] as Location, chosen));
  // A value that breaks only this branch could match another.
  if (path !== undefined && "break" in path.focus.end)
    taking.todo.push(...nodes.filter((_, index) => index !== chosen).map((node) => context.mustFail(node)));
}

const maxDecided = 10;

/** With an outer `unevaluated*`, every branch must be decided, because each valid one marks its evaluated parts. */
function decideBranches({ nodes }: KeywordOf<"anyOf">, context: AssertContext): void {
  const { path, construction: taking } = context;
  if (nodes.length > maxDecided) taking.search.giveUp(`the combinations of ${nodes.length} branches`);
  taking.choices.push(
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
function includesPath(set: readonly number[], { key, focus }: FocusStep): boolean {
  return set.includes(key as number) && (set.length === 1 || !("break" in focus.end));
}
