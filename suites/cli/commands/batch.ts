import { existsSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { example, exitCodes, type Shard, TouchstoneError } from "../../../schemas/index.ts";
import type { BatchIndex } from "../../authoring/batch/merge.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { escapeInvisible, escapeInvisibleJson } from "../../base/text/escape.ts";
import type { CliCommand } from "../command.ts";
import { repeatable, wholeNumber } from "../options/parsers.ts";
import { shard } from "../options/shard.ts";
import { createInterruption } from "../process/interruption.ts";

const help = `
Calls a command once for each file or seed. Each call has a folder of its own in --out, named by the digest of the file, the command and the
version: finished calls are not repeated, killed ones are. Any number of processes and machines share the work by --shard and a
common folder, or folders that are copied together; --merge writes index.json, the same for any distribution of the work.
A call that ends with 1 or 2 counts as finished: the exit code is 0 unless a call was stopped or crashed (4). --merge names those
whose exit code is not 0.

In the command, {} is replaced by the file, {path} for its path within the folder, {name} for its name, {seed} for the seed, and {out} for a folder to
write into.

Examples:
  touchstone batch --over schemas --out results -- generate --schema {} --out {out}
  touchstone batch --over schemas --out results --shard auto -- generate --schema {} --out {out}
  touchstone batch --over schemas --out results --merge -- generate --schema {} --out {out}
  touchstone batch --over new --out results -- compare old/{path} {}
  touchstone batch --seeds 1-1000 --out results -- fuzz ${example.protocol} --module validator.mjs --seed {seed}`;

interface BatchFlags {
  over?: string[];
  seeds?: number[];
  out: string;
  shard?: Shard;
  jobs?: number;
  limit?: number;
  merge?: true;
}

export const batch: CliCommand = {
  define(command) {
    command
      .argument("<command...>", "a command of touchstone and its arguments, after --")
      .option(
        "--over <path>",
        "a file, or a folder of JSON and YAML files (repeatable)",
        repeatable((text: string) => text),
      )
      .option("--seeds <a-b>", "whole numbers from A to B", parseSeeds)
      .requiredOption("--out <folder>", "folder of the results")
      .option("--shard <i/n>", "work on part I of N (auto: taken from the CI environment, Kubernetes or Slurm)", shard)
      .option("--jobs <n>", "processes at once (default: 1)", wholeNumber(1, 1024))
      .option("--limit <seconds>", "time limit for one call, in seconds (default: 900)", wholeNumber(1, 86_400))
      .option("--merge", "only merge all results")
      .addHelpText("after", help);
  },
  async run(args, flags) {
    const {
      over: inputs = [],
      seeds: seedRange = [],
      out,
      merge,
      jobs = 1,
      limit = 900,
      shard: shardOption,
    } = flags as unknown as BatchFlags;
    if (inputs.length + seedRange.length === 0)
      throw new TouchstoneError("usage", "no files or seeds are named", {
        hint: "give --over FOLDER or --seeds 1-100",
      });
    if (args[0] === "batch")
      throw new TouchstoneError("usage", "batch cannot run batch", { hint: "give another command after --" });
    requirePlaceholder(args, "{}", inputs.length > 0, ["{}", "{path}"]);
    requirePlaceholder(args, "{seed}", seedRange.length > 0, ["{seed}"]);
    const { planItems } = await import("../../authoring/batch/plan.ts");
    const items = planItems({ over: inputs, seeds: seedRange, commandArgs: args });
    if (merge === true) return writeIndex(out, items);
    makeFolder(out);
    const { batch: runBatch } = await import("../../authoring/batch/batch.ts");
    const interruption = createInterruption();
    const startedAt = performance.now();
    try {
      const {
        total,
        before: finishedEarlier,
        results,
      } = await runBatch(items, {
        commandArgs: args,
        out,
        jobs,
        seconds: limit,
        signal: interruption.signal,
        shard: shardOption,
        onResult: ({ path, seed, exitCode, signal }, done, itemCount) =>
          process.stderr.write(
            `${escapeInvisible(`${done}/${itemCount}  ${path ?? ""}${seed === undefined ? "" : ` seed ${seed}`}: ${exitCode ?? signal}`)}\
`,
          ),
      });
      const seconds = (performance.now() - startedAt) / 1000;
      const remaining = total - finishedEarlier - results.length;
      process.stdout.write(
        `${results.length} done in ${seconds.toFixed(1)} s, ${finishedEarlier} were done before${remaining > 0 ? `, ${remaining} are left` : ""}\n`,
      );
      if (interruption.signal.aborted) return exitCodes.target;
      return results.some(({ exitCode }) => exitCode === undefined || exitCode === exitCodes.internal)
        ? exitCodes.violations
        : 0;
    } finally {
      interruption.end();
    }
  },
};

async function writeIndex(
  out: string,
  items: readonly import("../../authoring/batch/plan.ts").BatchItem[],
): Promise<number> {
  if (!existsSync(out))
    throw new TouchstoneError("usage", "the folder does not exist", {
      where: out,
      hint: "run the batch first, without --merge",
    });
  const { mergeShards: merge, sumSeconds, removeUnfinished } = await import("../../authoring/batch/merge.ts");
  const { writeWhole } = await import("../../base/process/file-writer.ts");
  const index = merge(out, items);
  writeWhole(join(out, "index.json"), `${escapeInvisibleJson(JSON.stringify(index, null, 2))}\n`);
  if (index.missing.length === 0) removeUnfinished(out);
  process.stdout.write(describeIndex(index, sumSeconds(out, items)));
  return index.missing.length > 0 ? exitCodes.violations : 0;
}

/** The maximum number of items that the terminal lists; the index has all. */
const maxNamed = 10;

function describeIndex({ planned, done, codes, missing, results }: BatchIndex, seconds: number): string {
  const failures = results.filter(({ exitCode }) => exitCode !== 0);
  const exitCodeCounts = Object.entries(codes).map(
    ([code, count]) => `${count} with ${code === "signal" ? "a signal" : `exit code ${code}`}`,
  );
  const lines = [
    `${done} of ${planned} are done${exitCodeCounts.length === 0 ? "" : `: ${exitCodeCounts.join(", ")}`}`,
    ...nameItems(missing, () => "missing"),
    ...nameItems(failures, ({ exitCode, signal }) =>
      exitCode === undefined ? String(signal) : `exit code ${exitCode}`,
    ),
    ...(done === 0 || seconds === 0
      ? []
      : [`${(seconds / done).toFixed(2)} s each: ${Math.round((done / seconds) * 3600)} an hour for each process`]),
  ];
  return lines.map((line) => `${escapeInvisible(line)}\n`).join("");
}

type NamedItem = { key: string; path?: string; seed?: number };

function nameItems<T extends NamedItem>(items: readonly T[], describe: (item: T) => string): string[] {
  const lines = items.slice(0, maxNamed).map((item) => {
    const { key, path = "", seed } = item;
    return `  ${describe(item)}: ${path}${seed === undefined ? "" : ` seed ${seed}`} (${key})`;
  });
  return items.length > maxNamed ? [...lines, `  and ${items.length - maxNamed} more`] : lines;
}

function requirePlaceholder(
  args: readonly string[],
  placeholder: string,
  hasValues: boolean,
  names: readonly string[],
): void {
  const hasPlaceholder = names.some((name) => args.some((arg) => arg.includes(name)));
  if (hasPlaceholder === hasValues) return;
  const option = placeholder === "{}" ? "--over" : "--seeds";
  throw new TouchstoneError(
    "usage",
    hasValues ? `the command does not contain ${placeholder}` : `${placeholder} has no value without ${option}`,
    {
      hint: hasValues ? `write ${placeholder} among its arguments` : `give ${option}, or leave it out`,
    },
  );
}

const maxSeeds = 1_000_000;

function parseSeeds(text: string): number[] {
  const [, first, last = first] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(text) ?? [];
  const [firstSeed, lastSeed] = [Number(first), Number(last)];
  if (first === undefined || lastSeed < firstSeed || lastSeed - firstSeed >= maxSeeds)
    throw new InvalidArgumentError("It must be A-B, with A at most B, such as 1-100, and at most a million.");
  return Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);
}
