import { existsSync } from "node:fs";
import { type TargetConfig, TouchstoneError } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { header, httpUrl, several, wholeNumber } from "../parse.ts";

interface Options {
  module?: string;
  command?: string;
  http?: string;
  reference?: true;
  variant?: string;
  header?: [name: string, value: string][];
  only?: string[];
  skip?: string[];
  concurrency?: number;
  timeout?: number;
  seed?: number;
  vectors?: string;
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
      .option("--header <header>", 'with --http: "Name: value", sent with each request (repeatable)', several(header))
      .option("--only <pattern>", "an id, a path, a rule or a glob of those to run (repeatable)", text)
      .option("--skip <pattern>", "the same of those to leave out (repeatable)", text)
      .option("--concurrency <n>", "vectors at once", wholeNumber(1, 1024))
      .option("--timeout <ms>", "milliseconds for one vector (default: 5000)", wholeNumber(1, 3_600_000))
      .option("--seed <n>", "seed of what is drawn anew for each request (default: 42)", wholeNumber(0, 0xffffffff))
      .option("--vectors <dir>", "a vector set other than the built-in one")
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
    const { vectors, seed, timeout, quiet = false } = options;
    if (vectors !== undefined && !existsSync(vectors)) {
      throw new TouchstoneError("usage", `there is no folder "${vectors}"`, {
        hint: "--vectors takes the folder of a MANIFEST.json",
      });
    }
    const { deliver, sinksOf } = await import("../sinks.ts");
    const { protocolsNamed } = await import("../../../schemas/index.ts");
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
        command: commandLine({ program: program(), protocol, target, seed, timeoutMs: timeout, vectors }),
        onProgress: (progress) => bar?.show(progress),
        signal: interruption.signal,
      });
      bar?.stop();
      deliver(
        report,
        protocols.flatMap(({ rules }) => rules),
        sinks,
        quiet,
      );
      return report.exitCode;
    } finally {
      bar?.stop();
      interruption.end();
    }
  },
};

/** The one target that the options name. */
function targetOf({ module, command, http, reference, variant, header: headers }: Options): TargetConfig {
  const named: TargetConfig[] = [];
  if (module !== undefined) named.push({ kind: "module", file: module });
  if (command !== undefined) named.push({ kind: "command", command });
  if (http !== undefined)
    named.push({ kind: "http", url: http, ...(headers && { headers: Object.fromEntries(headers) }) });
  if (reference) named.push({ kind: "reference", ...(variant !== undefined && { variant }) });
  const [target, ...others] = named;
  if (target === undefined || others.length > 0) {
    const what = target === undefined ? "no implementation is named" : `${named.length} implementations are named`;
    throw new TouchstoneError("usage", `${what}, one is needed`, { hint: ways });
  }
  if (headers !== undefined && target.kind !== "http") throw misplaced("--header", "--http");
  if (variant !== undefined && target.kind !== "reference") throw misplaced("--variant", "--reference");
  return target;
}

const ways = `name it in one of four ways:
    --module FILE     a JavaScript or TypeScript module: a validator, or a schema of a validation library
    --command "CMD"   a program in any language that answers JSON lines
    --http URL        a running server
    --reference       the built-in reference implementation, to see how it works`;

function misplaced(option: string, target: string): TouchstoneError {
  return new TouchstoneError("usage", `${option} goes only with ${target}`, {
    hint: `leave it out, or name ${target}`,
  });
}

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
