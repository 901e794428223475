import type { Command } from "commander";

/** How much of a report the terminal shows. */
export interface DetailOptions {
  /** Only the summary, with a line for each failing rule. */
  quiet?: true | undefined;
  /** Every rule and every vector. */
  verbose?: true | undefined;
  /** The command that shows the report again, if it is not the command of the run. */
  again?: string | undefined;
}

/** Declares --quiet and --verbose. */
export function withDetail(command: Command): Command {
  return command
    .option("--quiet", "no progress; only the summary, with one line for each failing rule")
    .option("--verbose", "show every failing rule with all its vectors, not only the first ten");
}
