/** Runs what the configuration says, without a wait. */
export const quiet: readonly string[] = ["run", "--quiet", "--no-wait"];
