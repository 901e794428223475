/** The pages whose commands need as long as those of all others together: each is a separate test file, for another worker. */
export const slowPages: readonly string[] = [
  "suites/guides/ci.md",
  "suites/guides/implementer.md",
  "suites/packs/pack/README.md",
];

/** A guard against endless pages, in milliseconds: on a busy machine, dozens of commands need minutes. */
export const pageTimeoutMs = 1_200_000;
