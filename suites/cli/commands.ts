import type { ListedCommand } from "./command.ts";

/** Every command under the heading that it has in the help, in the order of the help. */
const grouped: Readonly<Record<string, readonly Omit<ListedCommand, "group">[]>> = {
  "Test an implementation:": [
    {
      name: "init",
      summary: "write a configuration for an implementation, after trying it out",
      load: async () => (await import("./commands/init.ts")).init,
    },
    {
      name: "run",
      summary: "run vectors against an implementation",
      load: async () => (await import("./commands/run.ts")).run,
    },
    {
      name: "challenge",
      summary: "run vectors that were made for this run alone",
      load: async () => (await import("./commands/challenge.ts")).challenge,
    },
    {
      name: "fuzz",
      summary: "run random messages, races and random walks against an implementation",
      load: async () => (await import("./commands/fuzz.ts")).fuzz,
    },
    {
      name: "play",
      summary: "play scenarios alone against a live party: a server, a command, or one that hooks lead to",
      load: async () => (await import("./commands/play.ts")).play,
    },
    {
      name: "agent",
      summary: "push outcomes to an agent as its hub would, rightly signed ones and others",
      load: async () => (await import("./commands/agent.ts")).agent,
    },
    {
      name: "replay",
      summary: "run one vector, or play one scenario, again",
      load: async () => (await import("./commands/replay.ts")).replay,
    },
  ],
  "Read, keep and sign results:": [
    {
      name: "explain",
      summary: "say what a rule demands, or what a vector or a scenario is about",
      load: async () => (await import("./commands/explain.ts")).explain,
    },
    {
      name: "report",
      summary: "write reports in other formats, put shards together, or compare two",
      load: async () => (await import("./commands/report.ts")).report,
    },
    {
      name: "baseline",
      summary: "hold a report against a list of known failures, or make the list fit",
      load: async () => (await import("./commands/baseline.ts")).baseline,
    },
    {
      name: "certify",
      summary: "sign what a report says of an implementation",
      load: async () => (await import("./commands/certify.ts")).certify,
    },
    {
      name: "verify",
      summary: "check a certificate, and run a sample of it again",
      load: async () => (await import("./commands/verify.ts")).verify,
    },
    {
      name: "freeze",
      summary: "freeze the lists of results that certificates need",
      load: async () => (await import("./commands/freeze.ts")).freeze,
    },
  ],
  "Look things up, check messages:": [
    {
      name: "list",
      summary: "list protocols, documents, rules, scenarios, readings, vectors, faults, families, variants",
      load: async () => (await import("./commands/list.ts")).list,
    },
    {
      name: "validate",
      summary: "check messages, documents or recorded sessions against every rule",
      load: async () => (await import("./commands/validate.ts")).validate,
    },
  ],
  "Schemas and vectors of your own:": [
    {
      name: "generate",
      summary: "make vectors from any JSON Schema, with their mutation score and a lint of the schema",
      load: async () => (await import("./commands/generate.ts")).generate,
    },
    {
      name: "lint",
      summary: "say what is probably wrong in schemas, each finding proven or with an example",
      load: async () => (await import("./commands/lint.ts")).lint,
    },
    {
      name: "compare",
      summary: "say whether a new version of schemas breaks those who send or receive, each difference with a message",
      load: async () => (await import("./commands/compare.ts")).compare,
    },
    {
      name: "coverage",
      summary: "measure the mutation score of some tests of a schema: these vectors, or anybody's",
      load: async () => (await import("./commands/coverage.ts")).coverage,
    },
    {
      name: "export",
      summary: "write vectors down for others: as plain files, for the JSON Schema Test Suite, for jsonschema test",
      load: async () => (await import("./commands/export.ts")).exported,
    },
    {
      name: "check",
      summary: "check a vector set, this one or your own: format, digests, ids, verdicts, parents",
      load: async () => (await import("./commands/check.ts")).check,
    },
    {
      name: "batch",
      summary: "call a command for many files or seeds, over many processes and machines",
      load: async () => (await import("./commands/batch.ts")).batch,
    },
  ],
  "Implementations to play with, and the shell:": [
    {
      name: "serve",
      summary: "start the reference implementation of a protocol",
      load: async () => (await import("./commands/serve.ts")).serve,
    },
    {
      name: "selftest",
      summary: "show that the vectors kill implementations that are wrong on purpose (mutant targets)",
      load: async () => (await import("./commands/selftest.ts")).selftest,
    },
    {
      name: "completions",
      summary: "write a script that completes commands, options and protocols in a shell",
      load: async () => (await import("./commands/completions.ts")).completions,
      isAboutAll: true,
    },
  ],
};

export const commands: readonly ListedCommand[] = Object.entries(grouped).flatMap(([group, some]) =>
  some.map((each) => ({ group, ...each })),
);
