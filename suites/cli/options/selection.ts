import type { Command } from "commander";
import { level, repeatable } from "./parsers.ts";

const collectValues = repeatable((value: string) => value);

/** Declares the options that select vectors or scenarios. The help uses `verb` for them. */
export function withSelection(
  command: Command,
  verb: "run" | "play",
  patternHelp = "an id, a path, a rule or a glob",
): Command {
  return command
    .option("--only <pattern>", `${patternHelp} of those to ${verb} (repeatable)`, collectValues)
    .option("--skip <pattern>", "vectors or scenarios to exclude (same patterns as --only; repeatable)", collectValues);
}

/** Declares the options for the configuration file, and for the level that makes the command fail. */
export function withConfiguration(command: Command, description: string): Command {
  return command
    .option("--config <file>", description)
    .option("--no-config", "ignore configuration files")
    .option(
      "--fail-on <level>",
      "lowest requirement level that makes the run fail: must, should or may (default: must)",
      level,
    );
}

/** Declares the reports that a command writes, in the same formats as `run`. */
export function withReports(command: Command): Command {
  return command.option(
    "--report <format[=file]>",
    "as for run; to standard output without a file (repeatable)",
    collectValues,
  );
}
