import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { agent, batch, loop, react } from "./documents.ts";

/** Integers, each by its name, which occurs once in its document. */
const bounded: readonly [rule: string, name: string, document: JsonObject][] = [
  ["AGF-REACT-002", "max_steps", agent("agf.react", { instructions: "Plan a trip.", model: "small-1", max_steps: 5 })],
  ["AGF-LOOP-001", "max_iterations", loop({ max_iterations: 5 })],
  ["AGF-BATCH-001", "max_batch_count", batch({ max_batch_count: 5 })],
  ["AGF-CONS-001", "max_duration_seconds", react({ constraints: { budget: { max_duration_seconds: 5 } } })],
];

/** For JSON Schema a number without a fraction is an integer, however it is spelled: a value has no spelling, so these are texts. */
export const integerCases: readonly Cases[] = bounded.map(([rule, name, document]) => ({
  rule,
  document: "agent",
  valid: [
    {
      name: `${name}-with-a-point`,
      says: `has ${name} as 5.0, which is an integer`,
      at: "",
      text: JSON.stringify(document).replace(`"${name}":5`, `"${name}":5.0`),
    },
  ],
  invalid: [],
}));
