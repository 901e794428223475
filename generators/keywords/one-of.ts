import type { Formula } from "../formulas/formula.ts";
import { branchHandler, countHolding } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const oneOf: KeywordHandler<"oneOf"> = {
  ...branchHandler("oneOf"),
  holds: ({ nodes }, value, visit) => countHolding(nodes, value, visit, 2) === 1,
  assert({ nodes }, asserting) {
    const key = asserting.way?.key;
    asserting.taking.choices.push(
      [...nodes.keys()]
        .filter((chosen) => key === undefined || key === chosen)
        .map((chosen): Formula => {
          const of = nodes.map((node, index) =>
            index === chosen ? asserting.inPlace(node, index) : asserting.unless(node),
          );
          return { op: "and", of };
        }),
    );
    return nodes.length > 0;
  },
  deny({ nodes }, denying) {
    const none: Formula = { op: "and", of: nodes.map((node) => denying.no(node)) };
    const two = pairs(nodes).map((pair): Formula => ({ op: "and", of: pair.map((node) => denying.yes(node)) }));
    return { op: "or", of: [none, ...two] };
  },
};

function pairs<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((a, index) => all.slice(index + 1).map((b): [T, T] => [a, b]));
}
