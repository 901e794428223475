/** The arguments that run the configuration without progress lines and waits. */
export const quiet: readonly string[] = ["run", "--quiet", "--no-wait"];
