import type { Command } from "commander";
import type { Config, FailOn, Result } from "../../../schemas/index.ts";
import { failsRun } from "../../results/exit.ts";
import { wholeNumber } from "./parsers.ts";

/** Options for retrying failures, and for ending a run early. */
export interface EndOptions {
  retry?: number;
  deadline?: number;
  maxFailures?: number;
}

/** Declares the options for retries and for an early end. */
export function withEnds(command: Command, subject: string): void {
  command
    .option("--retry <n>", `try ${subject} up to N more times; flaky if its answers differ`, wholeNumber(0, 20))
    .option("--deadline <seconds>", "stop after this many seconds, with a partial report", wholeNumber(1, 86_400))
    .option(
      "--max-failures <n>",
      "stop after this many failures that the baseline does not list, with a partial report",
      wholeNumber(1, 1_000_000),
    );
}

/** How failures are retried, according to the command line or else the configuration. */
export function retryOf({ retry }: EndOptions, config: Pick<Config, "retry">): Config["retry"] {
  return retry === undefined ? config.retry : { ...config.retry, count: retry };
}

/** Ends a run early when a limit is reached. */
export interface EarlyEnd {
  signal: AbortSignal;
  /** Counts each result. */
  count(result: Result): void;
  close(): void;
}

interface EndLimits {
  deadline?: number | undefined;
  maxFailures?: number | undefined;
}

/** Aborts a run after a number of seconds, or of failures outside the baseline, and prints the reason. The results so far become a partial report. */
export function createEarlyEnd(
  { deadline, maxFailures }: EndLimits,
  { failOn, isKnown = () => false }: { failOn: FailOn | undefined; isKnown: ((result: Result) => boolean) | undefined },
  print: (line: string) => void = (line) => process.stderr.write(line),
): EarlyEnd {
  const controller = new AbortController();
  const endWith = (reason: string): void => {
    if (controller.signal.aborted) return;
    print(`touchstone: ${reason}, ending with the results so far\n`);
    controller.abort();
  };
  const endAtDeadline = (): void => endWith(`the deadline of ${deadline} s is over (--deadline)`);
  const timer = deadline === undefined ? undefined : setTimeout(endAtDeadline, deadline * 1000);
  let failureCount = 0;
  return {
    signal: controller.signal,
    count(result) {
      if (maxFailures === undefined || !failsRun(result, failOn) || isKnown(result)) return;
      failureCount += 1;
      if (failureCount >= maxFailures) endWith(`${failureCount} failed (--max-failures)`);
    },
    close: () => clearTimeout(timer),
  };
}
