import type { Report } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { changeRemarks } from "../../reports/groups/remarks.ts";
import type { Sink } from "./sinks.ts";

/** Prints to stderr which schemas have changed since a pack was made from them, if standard output is read by a program. */
export function tellChanged({ runs }: Report, sinks: readonly Sink[]): void {
  if (sinks.some(({ format, file }) => format.name === "terminal" && file === undefined)) return;
  for (const line of runs.flatMap(changeRemarks)) process.stderr.write(`${escapeInvisible(line)}\n`);
}
