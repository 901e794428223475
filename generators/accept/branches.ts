import type { Formula } from "../formulas/formula.ts";
import type { Acceptance } from "./acceptance.ts";

/** Each branch of a choice and both sides of a condition. */
export const branches: Acceptance = {
  name: "branches",
  keywords: ["anyOf", "oneOf", "if"],
  *demand(keyword) {
    const schemaFormula = (node: string, mustHold: boolean): Formula => ({
      op: "schema",
      node,
      sign: mustHold,
      scope: {},
    });
    if (keyword.kind === "anyOf" || keyword.kind === "oneOf") {
      for (const [index, node] of keyword.nodes.entries()) {
        yield {
          name: "branch",
          detail: String(index),
          constraint: schemaFormula(node, true),
          says: `matches branch ${index} of ${keyword.kind}`,
        };
      }
    }
    if (keyword.kind === "if") {
      yield {
        name: "condition",
        detail: "met",
        constraint: schemaFormula(keyword.condition, true),
        says: "meets the condition",
      };
      yield {
        name: "condition",
        detail: "unmet",
        constraint: schemaFormula(keyword.condition, false),
        says: "does not meet the condition",
      };
    }
  },
};
