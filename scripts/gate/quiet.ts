/** Runs the configuration without waits. */
export const quiet: readonly string[] = ["run", "--quiet", "--no-wait"];
