/** The arguments that run the configuration without progress lines and waits. */
export const quietOptions: readonly string[] = ["run", "--quiet", "--no-wait"];
