/** JSON Pointers to the limits of a run, relative to `constraints`. */
export const limitPaths: readonly string[] = [
  "/budget/max_token_usage",
  "/budget/max_duration_seconds",
  "/limits/max_llm_calls",
  "/limits/max_tool_calls",
  "/limits/max_delegation_depth",
];
