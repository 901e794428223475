/** The slowest pages: their commands take as long as those of all other pages together. Each has a separate test file, for another worker. */
export const slowPages: readonly string[] = ["suites/guides/ci.md", "suites/guides/implementer.md"];
