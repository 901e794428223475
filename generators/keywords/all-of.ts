import { branching, holding } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const allOf: KeywordHandler<"allOf"> = {
  ...branching("allOf"),
  holds: ({ nodes }, value, visit) => holding(nodes, value, visit) === nodes.length,
  sites: () => [],
  assert({ nodes }, asserting) {
    asserting.taking.todo.push(...nodes.map((node, index) => asserting.inPlace(node, index)).reverse());
    return true;
  },
  deny: ({ nodes }, denying) => ({ op: "or", of: nodes.map((node) => denying.no(node)) }),
};
