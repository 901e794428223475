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
    freedoms: ["unresolved-path", "no-mapping", "top-k"],
    decisions: {
      nothing: () => undefined,
      settings: ({ model = "small-1" }) => ({ model }),
    },
  },
];
