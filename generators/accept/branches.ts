import type { Formula } from "../formulas/formula.ts";
import type { Acceptance } from "./acceptance.ts";

/** Each branch of a choice and both sides of a condition. */
export const branches: Acceptance = {
  name: "branches",
  keywords: ["anyOf", "oneOf", "if"],
  *demand(keyword) {
    const schema = (node: string, mustHold: boolean): Formula => ({ op: "schema", node, sign: mustHold, scope: {} });
    if (keyword.kind === "anyOf" || keyword.kind === "oneOf") {
      for (const [index, node] of keyword.nodes.entries()) {
        yield {
          name: "branch",
          detail: String(index),
          constraint: schema(node, true),
          says: `matches branch ${index} of ${keyword.kind}`,
        };
      }
    }
    if (keyword.kind === "if") {
      yield {
        name: "condition",
        detail: "met",
        constraint: schema(keyword.condition, true),
        says: "meets the condition",
      };
      yield {
        name: "condition",
        detail: "unmet",
        constraint: schema(keyword.condition, false),
        says: "does not meet the condition",
      };
    }
  },
};
