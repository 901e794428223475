import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { protocolsNamed, TouchstoneError } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { endpoint, header, httpUrl, several, wholeNumber } from "../parse.ts";
import { type TargetOptions, targetOf } from "../target.ts";

interface Options extends TargetOptions {
  only?: string[];
  skip?: string[];
  concurrency?: number;
  timeout?: number;
  seed?: number;
  vectors?: string;
  scenarios?: true;
  config?: string;
  report?: string[];
  quiet?: true;
}

export const run: CliCommand = {
  name: "run",
  summary: "run vectors against an implementation",
  define(command) {
    const text = several((given: string) => given);
    command
      .argument("<protocol>", "a protocol, name@version, or all")
      .option("--module <file>", "the implementation is a JavaScript or TypeScript module")
      .option("--command <command>", "the implementation is a command that speaks JSON lines")
      .option("--http <url>", "the implementation is a server at this base URL", httpUrl)
      .option("--reference", "the implementation is the built-in reference")
      .option("--variant <name>", "with --reference: a variant of it, see `list variants`")
      .option(
        "--endpoint <endpoint>",
        'with --http: "DOCUMENT=/path", where the server departs from the protocol (repeatable)',
        several(endpoint),
      )
      .option("--header <header>", 'with --http: "Name: value", sent with each request (repeatable)', several(header))
      .option("--only <pattern>", "an id, a path, a rule or a glob of those to run (repeatable)", text)
      .option("--skip <pattern>", "the same of those to leave out (repeatable)", text)
      .option("--concurrency <n>", "vectors at once", wholeNumber(1, 1024))
      .option("--timeout <ms>", "milliseconds for one vector (default: 5000)", wholeNumber(1, 3_600_000))
      .option(
        "--seed <n>",
        "seed of what is drawn anew for each request (default: 42; a new one for --http)",
        wholeNumber(0, 0xffffffff),
      )
      .option("--vectors <dir>", "a vector set other than the built-in one")
      .option("--scenarios", "with --http or --reference: play the protocol's scenarios as well")
      .option("--config <file>", "with --scenarios: credentials and hooks of the server, as JSON, YAML or a module")
      .option(
        "--report <format[=file]>",
        "terminal, json or html; to standard output without a file (repeatable)",
        text,
      )
      .option("--quiet", "no progress, and only the summary on the terminal");
  },
  async run([protocol = ""], given) {
    const options = given as Options;
    const target = targetOf(options);
    const { vectors, timeout, scenarios, config, quiet = false } = options;
    const { stagerFor } = await import("../stager.ts");
    const stager = await stagerFor(target, { scenarios: scenarios === true, config });
    // A live server remembers the keys and ids of earlier runs: it gets new ones each time, and the replay line names the seed.
    const seed = options.seed ?? (target.kind === "http" ? randomInt(2 ** 32) : undefined);
    if (vectors !== undefined && !existsSync(vectors)) {
      throw new TouchstoneError("usage", `there is no folder "${vectors}"`, {
        hint: "--vectors takes the folder of a MANIFEST.json",
      });
    }
    const { deliver, sinksOf } = await import("../sinks.ts");
    const { runSuite } = await import("../../run/suite.ts");
    const { commandLine } = await import("../../run/replay.ts");
    const sinks = sinksOf(options.report ?? []);
    const protocols = protocolsNamed(protocol);
    const bar = quiet || !process.stderr.isTTY ? undefined : await (await import("../progress.ts")).progressBar();
    const interruption = interruptible();
    try {
      const report = await runSuite({
        protocols,
        target,
        only: options.only ?? [],
        skip: options.skip ?? [],
        ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
        ...(timeout === undefined ? {} : { timeoutMs: timeout }),
        ...(seed === undefined ? {} : { seed }),
        ...(vectors === undefined ? {} : { vectors }),
        ...(stager === undefined ? {} : { scenarios: stager }),
        command: commandLine({
          ...{ program: program(), protocol, target, seed, timeoutMs: timeout, vectors, scenarios, config },
        }),
        onProgress: (progress) => bar?.show(progress),
        signal: interruption.signal,
      });
      bar?.stop();
      const rules = protocols.flatMap((each) => each.rules);
      deliver(report, rules, sinks, quiet);
      return report.exitCode;
    } finally {
      bar?.stop();
      interruption.end();
    }
  },
};

/** How this program was called, for the replay lines. */
function program(): string {
  return import.meta.filename.endsWith(".ts") ? "npm run -s touchstone --" : "npx touchstone";
}

/** The first SIGINT or SIGTERM ends the run with a partial report, the second ends the process. */
function interruptible(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit();
    process.stderr.write(`touchstone: ${signal}, ending with what there is; once more ends at once\n`);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, stop);
  return {
    signal: controller.signal,
    end() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
