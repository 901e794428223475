import type { Report } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { changeRemarks } from "../../reports/groups/remarks.ts";
import type { Sink } from "./sinks.ts";

/** Prints on stderr which schemas have changed since a pack was made from them, unless the terminal report on standard output shows it. */
export function printSchemaChanges({ runs }: Report, sinks: readonly Sink[]): void {
  if (sinks.some(({ format, file }) => format.name === "terminal" && file === undefined)) return;
  for (const line of runs.flatMap(changeRemarks)) process.stderr.write(`${escapeInvisible(line)}\n`);
}
