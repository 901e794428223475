import type { Report } from "../../../schemas/index.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { sharedValue } from "./shared-value.ts";

/** The command of a report with the selection of its run, if all its protocols have the same selection; empty if the report has no command. */
export function sharedCommand({ command, runs, options }: Pick<Report, "command" | "runs" | "options">): string {
  if (command === "" || runs.length === 0) return command;
  const { only = [], skip = [] } = sharedValue(runs.map(({ filter }) => filter)) ?? {};
  const shard = sharedValue(runs.map((run) => run.shard));
  // Random messages have no ids beforehand, so only a document can be selected.
  const narrowing = (runs[0]?.options ?? options)?.verb === "fuzz" ? "--document" : "--only";
  const filterOptions = [
    ...only.flatMap((pattern) => [narrowing, quoteForShell(pattern)]),
    ...skip.flatMap((pattern) => ["--skip", quoteForShell(pattern)]),
    ...(shard === undefined ? [] : ["--shard", `${shard.index}/${shard.count}`]),
  ];
  return [command, ...filterOptions].join(" ");
}
