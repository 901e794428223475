import { count, type Report, sum } from "../../../schemas/index.ts";
import { exitCode } from "../../results/exit.ts";
import { reasonReportIsPartial } from "../../results/partial-report.ts";
import { findImpossibleCause, findImpossibleCommand, findImpossibleTime } from "./impossibility.ts";
import { findOptionConflict } from "./stray-option.ts";

/** Checks a report for contradictions. Each check has `wrong` if it failed; such a report cannot be certified. `text` is the report as written, if available. `now` is in milliseconds since 1970. */
export function checkReport(
  report: Report,
  text?: string,
  now: number = Date.now(),
): { what: string; wrong?: string }[] {
  const checks: [what: string, wrong: string | undefined][] = [
    ["counts of the report, computed again", findWrongCounts(report)],
    ["results of the report, each once", findDuplicate(report)],
    ["whole run", reasonReportIsPartial(report)],
    ["how the run was called", findOptionConflict(report)],
    ["time of the run", findImpossibleTime(report, now)],
    ["causes of the results", findImpossibleCause(report)],
  ];
  if (text !== undefined)
    checks.push(
      ["text of the report, each member once", isAsWritten(text) ? undefined : "it is not as certify writes it"],
      ["command of the report", findImpossibleCommand(JSON.parse(text) as Report)],
    );
  return checks.map(([what, wrong]) => (wrong === undefined ? { what } : { what, wrong }));
}

function findWrongCounts(report: Report): string | undefined {
  for (const { protocol, counts, results } of report.runs)
    if (!areEqual(count(results), counts)) return `${protocol} has ${JSON.stringify(count(results))}`;
  if (!areEqual(sum(report.runs.map(({ counts }) => counts)), report.counts))
    return "the whole is not the sum of its runs";
  const code = exitCode(report);
  return code === report.exitCode ? undefined : `it ends with ${code}, not with ${report.exitCode}`;
}

/** Describes two results with one id, or two runs of one protocol: it would be unclear which one counts. */
function findDuplicate({ runs }: Report): string | undefined {
  const runNames = runs.map(({ protocol, version }) => `${protocol}/${version}`);
  const duplicateRun = runNames.find((name, index) => runNames.indexOf(name) < index);
  if (duplicateRun !== undefined) return `there are two runs of ${duplicateRun}`;
  for (const [index, { results }] of runs.entries()) {
    const seenIds = new Set<string>();
    for (const { id } of results) {
      if (seenIds.has(id)) return `${id} is there twice`;
      if (!id.startsWith(`${runNames[index]}/`)) return `${id} is not of ${runNames[index]}`;
      seenIds.add(id);
    }
  }
  return undefined;
}

/** Whether a text is exactly as certify writes it. Any other text could repeat a member, and parsers differ in the value that they keep. */
function isAsWritten(text: string): boolean {
  return `${JSON.stringify(JSON.parse(text))}\n` === text;
}

function areEqual(a: object, b: object): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
