import type { TargetConfig } from "../../schemas/index.ts";

/** The number of vectors that run at the same time by default, by the kind of target. */
export const defaultConcurrency: Readonly<Record<TargetConfig["kind"], number>> = {
  module: 256,
  http: 32,
  // The number of vectors in one request. This target answers in the calling thread, so more would only delay concurrent scenarios.
  reference: 32,
  command: 16,
  mcp: 1,
  // Targets of this kind only play scenarios.
  hooks: 1,
};
