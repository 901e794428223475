import type { TargetConfig } from "../../schemas/index.ts";

/** Vectors at once of a run that does not say how many, by the kind of target. */
export const atOnce: Readonly<Record<TargetConfig["kind"], number>> = {
  module: 256,
  http: 32,
  // As many as go in lines together. It answers in the thread that asks: more would only make scenarios wait that are played meanwhile.
  reference: 32,
  command: 16,
  mcp: 1,
  // It is asked nothing but scenarios.
  hooks: 1,
};
