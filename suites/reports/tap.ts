import type { Report, Result } from "../../schemas/index.ts";
import { escapeInvisible } from "../base/text/escape.ts";
import type { Format, RenderOptions } from "./format.ts";
import { remarksOn } from "./groups/remarks.ts";
import { placedFacts } from "./sections/heading.ts";
import { findShortfalls, statusOf } from "./sections/status.ts";
import { describeConclusion, describeCounts, describeTarget } from "./wording/phrases.ts";

/** Test Anything Protocol 14: a test point for each vector, with its details as YAML. */
export const tap: Format = {
  name: "tap",
  extension: "tap",
  render(report, { sourceOf }) {
    const lines: string[] = [];
    let pointCount = 0;
    for (const run of report.runs) {
      lines.push(formatComment(`${run.protocol} ${run.version} against ${describeTarget(run)}`));
      lines.push(...remarksOn(run).map(formatComment));
      for (const result of run.results) lines.push(...formatPoint(report, result, ++pointCount, sourceOf));
      lines.push(formatComment(`${run.protocol} ${run.version}: ${describeCounts(run.counts)}`));
    }
    for (const { name, message } of findShortfalls(report))
      lines.push(`not ok ${++pointCount} - ${escapeTap(name)}`, ...yamlBlock([["message", message]]));
    const plan = pointCount === 0 ? "1..0 # SKIP nothing was run" : `1..${pointCount}`;
    return `${["TAP version 14", plan, ...lines, formatComment(describeConclusion(report))].join("\n")}\n`;
  },
};

function formatPoint(report: Report, result: Result, number: number, sourceOf: RenderOptions["sourceOf"]): string[] {
  const { id, description, rule, outcome, level, known } = result;
  const status = statusOf(result, report);
  const why = escapeTap(result.why ?? "");
  const name = `${number} - ${escapeTap(id)}`;
  if (status === "passed") return [`ok ${name}`];
  if (status === "skipped") return [`ok ${name} # SKIP ${why}`];
  const members: [string, string][] = [
    ["outcome", outcome],
    ["description", description],
    ...(rule === undefined ? [] : [["rule", rule] as [string, string]]),
    ["level", level],
    ...placedFacts(result, sourceOf),
  ];
  const pointLine = {
    failed: `not ok ${name}`,
    errored: `not ok ${name}`,
    known: `not ok ${name} # TODO known to fail: ${known}`,
    noted: `ok ${name}`,
  }[status];
  return [pointLine, ...yamlBlock(members)];
}

/** JSON text is valid YAML, so each value is a double-quoted scalar. */
function yamlBlock(members: readonly [name: string, text: string][]): string[] {
  return ["  ---", ...members.map(([name, text]) => `  ${name}: ${JSON.stringify(escapeInvisible(text))}`), "  ..."];
}

function formatComment(text: string): string {
  return `# ${escapeInvisible(text)}`;
}

function escapeTap(text: string): string {
  return escapeInvisible(text).replace(/[\\#]/g, "\\$&");
}
