import { type Command, InvalidArgumentError } from "commander";
import { TouchstoneError } from "../../../schemas/index.ts";
import type { Addition } from "../../results/baseline/index.ts";

export interface AdditionOptions {
  reason?: string;
  owner?: string;
  expires?: string;
  flaky?: true;
  byRule?: true;
}

/** The baseline options of a run. */
export interface BaselineOptions extends AdditionOptions {
  baseline?: string;
  updateBaseline?: true;
}

/** Declares the options for the baseline of a run. */
export function withBaseline(command: Command): Command {
  return withAddition(
    command
      .option("--baseline <file>", "a reviewed list of known failures, which do not fail")
      .option("--update-baseline", "rewrite the baseline: drop entries that pass now; with --reason, add new failures"),
  );
}

/** Declares the options for new entries of a baseline. */
export function withAddition(command: Command): Command {
  return command
    .option("--reason <text>", "add new failures to the baseline, for this reason")
    .option("--owner <name>", "with --reason: owner recorded for the added entries")
    .option("--expires <day>", "with --reason: last day on which the added entries are accepted, YYYY-MM-DD", parseDay)
    .option("--flaky", "with --reason: mark the added entries as flaky")
    .option("--by-rule", "with --reason: add one entry for each rule or assertion instead of one for each vector");
}

/** Returns the members of new baseline entries; undefined if none are to be added. Throws a usage error if their options lack --reason. */
export function readAddition({ reason, byRule, ...members }: AdditionOptions): Addition | undefined {
  if (reason?.trim() === "")
    throw new TouchstoneError("usage", "the reason is empty", { hint: "say why the failures are left for now" });
  if (reason !== undefined) return { reason, ...members };
  const [name = byRule === true ? "by-rule" : undefined] = Object.keys(members);
  if (name === undefined) return undefined;
  throw new TouchstoneError("usage", `--${name} needs --reason`, {
    hint: "say why the failures are left for now",
  });
}

function parseDay(text: string): string {
  const date = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text))
    return text;
  throw new InvalidArgumentError("It must be a day, YYYY-MM-DD.");
}
