import { branchHandler } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const allOf: KeywordHandler<"allOf"> = {
  ...branchHandler("allOf"),
  holds({ nodes }, value, visit) {
    let valid = true;
    for (const node of nodes) {
      if (visit.valueHolds(node, value)) continue;
      if (!visit.isObserved) return false;
      valid = false;
    }
    return valid;
  },
  sites: () => [],
  assert({ nodes }, context) {
    context.construction.todo.push(...nodes.map((node, index) => context.inPlace(node, index)).reverse());
    return true;
  },
  deny: ({ nodes }, context) => ({ op: "or", of: nodes.map((node) => context.mustFail(node)) }),
};
