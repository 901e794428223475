import type { ListedCommand } from "./command.ts";

/** All commands, by their heading in the help and in the order of the help. */
const commandsByGroup: Readonly<Record<string, readonly Omit<ListedCommand, "group">[]>> = {
  "Test an implementation:": [
    {
      name: "init",
      summary: "try an implementation out and write a configuration for it",
      load: async () => (await import("./commands/init.ts")).init,
    },
    {
      name: "run",
      summary: "run vectors against an implementation",
      load: async () => (await import("./commands/run.ts")).run,
    },
    {
      name: "challenge",
      summary: "run vectors that are made for this run only",
      load: async () => (await import("./commands/challenge.ts")).challenge,
    },
    {
      name: "fuzz",
      summary: "run random messages, race conditions and random walks against an implementation",
      load: async () => (await import("./commands/fuzz.ts")).fuzz,
    },
    {
      name: "play",
      summary: "play scenarios against a live party: a server, a command, or a party reached by hooks",
      load: async () => (await import("./commands/play.ts")).play,
    },
    {
      name: "agent",
      summary: "act as the hub: push correctly and incorrectly signed outcomes to an agent",
      load: async () => (await import("./commands/agent.ts")).agent,
      replacedBy: "play --side agent",
    },
    {
      name: "replay",
      summary: "repeat one vector or one scenario",
      load: async () => (await import("./commands/replay.ts")).replay,
    },
  ],
  "Read, keep and sign results:": [
    {
      name: "explain",
      summary: "explain a rule, a vector, a scenario or an assertion",
      load: async () => (await import("./commands/explain.ts")).explain,
    },
    {
      name: "report",
      summary: "convert reports, merge shards, or compare two reports",
      load: async () => (await import("./commands/report.ts")).report,
    },
    {
      name: "baseline",
      summary: "compare a report with a list of known failures, or update the list",
      load: async () => (await import("./commands/baseline.ts")).baseline,
    },
    {
      name: "certify",
      summary: "sign a report on an implementation, check a certificate, or freeze what certificates need",
      load: async () => (await import("./commands/certify.ts")).certify,
    },
    {
      name: "verify",
      summary: "check a certificate and repeat a sample of its vectors",
      load: async () => (await import("./commands/verify.ts")).verify,
      replacedBy: "certify verify",
    },
    {
      name: "freeze",
      summary: "freeze the lists of results that certificates need",
      load: async () => (await import("./commands/freeze.ts")).freeze,
      replacedBy: "certify freeze",
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
      summary: "report probable mistakes in schemas, each proven or shown by an example",
      load: async () => (await import("./commands/lint.ts")).lint,
    },
    {
      name: "compare",
      summary:
        "check whether a new schema version breaks producers or consumers, with an example message for each difference",
      load: async () => (await import("./commands/compare.ts")).compare,
    },
    {
      name: "coverage",
      summary: "measure how many mutants of a schema a test suite kills",
      load: async () => (await import("./commands/coverage.ts")).coverage,
    },
    {
      name: "export",
      summary: "export vectors to other formats: plain files, JSON Schema Test Suite, jsonschema test",
      load: async () => (await import("./commands/export.ts")).exportCommand,
    },
    {
      name: "check",
      summary: "check a vector set: format, digests, ids, verdicts, parents",
      load: async () => (await import("./commands/check.ts")).check,
    },
    {
      name: "batch",
      summary: "run a command for many files or seeds, on many processes and machines",
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
      summary: "show that the vectors kill deliberately wrong implementations (mutant targets)",
      load: async () => (await import("./commands/selftest.ts")).selftest,
    },
    {
      name: "completions",
      summary: "print a shell completion script",
      load: async () => (await import("./commands/completions.ts")).completions,
      needsAllCommands: true,
    },
  ],
};

export const commands: readonly ListedCommand[] = Object.entries(commandsByGroup).flatMap(([group, groupCommands]) =>
  groupCommands.map((command) => ({ group, ...command })),
);
