import { branchHandler } from "./branches.ts";
import type { KeywordHandler } from "./handler.ts";

export const allOf: KeywordHandler<"allOf"> = {
  ...branchHandler("allOf"),
  holds({ nodes }, value, visit) {
    let valid = true;
    for (const node of nodes) {
      if (visit.same(node, value)) continue;
      if (!visit.isObserved) return false;
      valid = false;
    }
    return valid;
  },
  sites: () => [],
  assert({ nodes }, asserting) {
    asserting.taking.todo.push(...nodes.map((node, index) => asserting.inPlace(node, index)).reverse());
    return true;
  },
  deny: ({ nodes }, denying) => ({ op: "or", of: nodes.map((node) => denying.no(node)) }),
};
