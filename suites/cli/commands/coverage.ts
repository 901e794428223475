import { Option } from "commander";
import { exitCodes, TouchstoneError } from "../../../schemas/index.ts";
import type { MeasuredSet } from "../../authoring/coverage/measure.ts";
import type { TestSet } from "../../authoring/coverage/sets.ts";
import { declaresDescription } from "../../authoring/openapi/description-names.ts";
import { reducibleReporter } from "../../base/process/watchdog.ts";
import { escapeInvisibleJson } from "../../base/text/escape.ts";
import type { CliCommand } from "../command.ts";
import { repeatable, wholeNumber } from "../options/parsers.ts";
import { terminalWidth } from "../output/columns.ts";
import { memoryHelp, runGuarded } from "../process/guarded-run.ts";
import { resolvePack } from "../sources/description.ts";
import { describeStop } from "../sources/generation.ts";

interface CoverageCommandOptions {
  schema?: string;
  ref?: string[];
  atLeast?: number;
  json?: true;
  html?: string;
  deadline?: number;
  memory?: number;
  unguarded?: true;
  least?: true;
}

const help = `
Examples:
  touchstone coverage tests.json --schema order.schema.json                    tests of your own: [{ "data": …, "valid": true }, …]
  touchstone coverage tests --schema order.schema.json --at-least 90           exit code 1 when fewer are killed
  touchstone coverage ./order --html coverage.html                             the vectors of a pack, with a page

A mutant is the schema with one small change, such as maxLength 11 for 10. A test kills it
when the mutant judges its data otherwise than the schema does. What two tests kill still shows when one of them is lost.
Tests that the schema contradicts, or that validators judge differently, are listed first and not counted; they leave the exit code as it is,
since they may read formats differently.`;

/** The share of the time limit for measuring; the rest is for the output. */
const measuringShare = 0.97;

export const coverage: CliCommand = {
  define(command) {
    command
      .argument(
        "<what>",
        "a protocol, the folder of a pack or of vectors, or a file or folder of tests with data and valid",
      )
      .option("--schema <file>", "the schema under test, JSON or YAML")
      .option("--ref <path>", "a file or folder of schemas that the schema refers to (repeatable)", repeatable(String))
      .option(
        "--at-least <percent>",
        "fail if a smaller share of the non-equivalent mutants is killed",
        wholeNumber(0, 100),
      )
      .option("--json", "as a JSON array")
      .option(
        "--html <file>",
        "also write a page: each schema as a heat map, each mutant with a message that would kill it",
      )
      .option("--deadline <seconds>", "time limit in seconds (default: 300)", wholeNumber(1, 86_400))
      .option("--memory <mebibytes>", memoryHelp, wholeNumber(128, 1_048_576))
      .option("--unguarded", "run in this process, without time or memory limits")
      .addOption(new Option("--least").hideHelp())
      .addHelpText("after", help);
  },
  async run([path = ""], flags) {
    const options = flags as CoverageCommandOptions;
    const { schema, ref: refs, atLeast, json, html } = options;
    const { deadline = 300, memory, unguarded, least } = options;
    if (unguarded !== true)
      return runGuarded({ seconds: deadline, canReduce: true, ...(memory === undefined ? {} : { memory }) });
    const startedAt = performance.now();
    let isStopped = least === true;
    const { readTestSets } = await import("../../authoring/coverage/sets.ts");
    const { measureSets } = await import("../../authoring/coverage/measure.ts");
    const { renderCoverage: render, mutationScoreOf } = await import("../../authoring/coverage/render.ts");
    const { progressOn } = await import("../output/progress.ts");
    const progress = progressOn(process.stderr);
    try {
      progress.show("loading");
      const sets = await readTestSets({
        input: schema === undefined && declaresDescription(path) ? await resolvePack(path) : path,
        ...(schema === undefined ? {} : { schema }),
        ...(refs === undefined ? {} : { refs }),
        warn: (line) => process.stderr.write(line),
      });
      const reportPrepared = reducibleReporter(sets.length);
      const measuredSets = await measureSets(sets, ({ name, stage, done, total }) => {
        progress.show(name, done, total);
        if (stage === "mutants") reportPrepared();
        const isDeadlineNear = performance.now() - startedAt > deadline * 1000 * measuringShare;
        isStopped ||= isDeadlineNear;
        return stage === "judging" ? !isDeadlineNear : !isStopped;
      });
      progress.clear();
      process.stdout.write(
        json === true
          ? `${escapeInvisibleJson(JSON.stringify(measuredSets.map(withoutMutants), null, 2))}\n`
          : render(measuredSets, terminalWidth()),
      );
      if (html !== undefined) await writePage(html, measuredSets, sets);
      if (isStopped)
        process.stderr.write(
          `${describeStop(least === true ? 0 : Math.round(performance.now() / 1000), findUnfinished(measuredSets, sets), sets.length, ["mutants"])}\n`,
        );
      if (isStopped) return exitCodes.violations;
      if (atLeast === undefined) return 0;
      const scores = measuredSets.map(mutationScoreOf).filter((score) => score !== undefined);
      if (scores.length === 0) {
        throw new TouchstoneError(
          "usage",
          "no mutant of the schema can be killed, so --at-least has nothing to measure",
          {
            where: schema ?? path,
            hint: "give a schema that asserts something, or leave --at-least out",
          },
        );
      }
      return scores.every((share) => share * 100 >= atLeast) ? 0 : exitCodes.violations;
    } finally {
      progress.stop();
    }
  },
};

async function writePage(file: string, measuredSets: readonly MeasuredSet[], sets: readonly TestSet[]): Promise<void> {
  const { coveragePage } = await import("../../authoring/coverage/page.ts");
  const { writeWhole } = await import("../../base/process/file-writer.ts");
  try {
    writeWhole(file, coveragePage(measuredSets, sets));
  } catch (cause) {
    const problem = `the page cannot be written: ${(cause as Error).message}`;
    throw new TouchstoneError("usage", problem, { where: file, hint: "name a file in an existing folder", cause });
  }
}

/** Returns the names of the sets with tests that were not judged. */
function findUnfinished(measuredSets: readonly MeasuredSet[], sets: readonly TestSet[]): string[] {
  return sets.flatMap(({ name, tests }, index) => ((measuredSets[index]?.tests ?? 0) < tests.length ? [name] : []));
}

/** Omits the list of all mutants, which only the page shows. */
function withoutMutants({ judged: _, ...rest }: MeasuredSet): Omit<MeasuredSet, "judged"> {
  return rest;
}
