import type { Formula } from "../formulas/formula.ts";
import { branchHandler, countMatching } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const oneOf: KeywordHandler<"oneOf"> = {
  ...branchHandler("oneOf"),
  holds: ({ nodes }, value, visit) => countMatching(nodes, value, visit, 2) === 1,
  assert({ nodes }, context) {
    const key = context.path?.key;
    context.construction.choices.push(
      [...nodes.keys()]
        .filter((chosen) => key === undefined || key === chosen)
        .map((chosen): Formula => {
          const of = nodes.map((node, index) =>
            index === chosen ? context.inPlace(node, index) : context.avoid(node),
          );
          return { op: "and", of };
        }),
    );
    return nodes.length > 0;
  },
  deny({ nodes }, context) {
    const none: Formula = { op: "and", of: nodes.map((node) => context.mustFail(node)) };
    const two = pairsOf(nodes).map((pair): Formula => ({ op: "and", of: pair.map((node) => context.mustHold(node)) }));
    return { op: "or", of: [none, ...two] };
  },
};

function pairsOf<T>(entries: readonly T[]): [T, T][] {
  return entries.flatMap((a, index) => entries.slice(index + 1).map((b): [T, T] => [a, b]));
}
