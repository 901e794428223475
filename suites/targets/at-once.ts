import type { TargetConfig } from "../../schemas/index.ts";

/** How many vectors run at once by default, by the kind of target. */
export const atOnce: Readonly<Record<TargetConfig["kind"], number>> = {
  module: 256,
  http: 32,
  // The number of vectors in one request. It answers in the asking thread, so more would only delay scenarios played at the same time.
  reference: 32,
  command: 16,
  mcp: 1,
  // It only plays scenarios.
  hooks: 1,
};
