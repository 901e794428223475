import type { Decisions } from "./decisions.ts";

/** A runtime that keeps every rule, and uses some freedoms otherwise than the reference does. */
export interface RuntimeTwin {
  name: string;
  freedoms: readonly string[];
  decisions: Partial<Decisions>;
}

export const runtimeTwins: readonly RuntimeTwin[] = [
  {
    name: "lenient",
    freedoms: ["unresolved-path", "top-k", "breach-ends", "batch-output"],
    decisions: {
      nothing: () => undefined,
      breached: () => null,
      asksAtLast: () => true,
      batched: (outputs) => ({ count: outputs.length, outputs }),
      settings: ({ model = "small-1" }) => ({ model }),
    },
  },
  {
    name: "selective",
    freedoms: ["unsupported-policies"],
    decisions: { knowsPolicy: (id) => /^agf\.(?:react|sequential)$/.test(id) },
  },
];
