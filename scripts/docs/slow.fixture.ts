/** The pages whose commands take as long as those of all others together: each is a test file of its own, which another worker runs. */
export const slowPages: readonly string[] = ["suites/guides/ci.md", "suites/guides/implementer.md"];
