import { count, type Report, sum } from "../../../schemas/index.ts";
import { exitCode } from "../../results/exit.ts";
import { partOnly } from "../../results/partial-report.ts";
import { findImpossibleCause, findImpossibleCommand, findImpossibleTime } from "./impossibility.ts";
import { findStrayOption } from "./stray-option.ts";

/** The faults that keep a report from being certified, with the checked parts; `text` is the report as written, if available. `now` is in milliseconds since 1970. */
export function faultsOf(report: Report, text?: string, now: number = Date.now()): { what: string; wrong?: string }[] {
  const checks: [what: string, wrong: string | undefined][] = [
    ["counts of the report, computed again", findWrongCounts(report)],
    ["results of the report, each once", findDoubled(report)],
    ["whole run", partOnly(report)],
    ["how the run was called", findStrayOption(report)],
    ["time of the run", findImpossibleTime(report, now)],
    ["causes of the results", findImpossibleCause(report)],
  ];
  if (text !== undefined)
    checks.push(
      ["text of the report, each member once", isPlain(text) ? undefined : "it is not as certify writes it"],
      ["command of the report", findImpossibleCommand(JSON.parse(text) as Report)],
    );
  return checks.map(([what, wrong]) => (wrong === undefined ? { what } : { what, wrong }));
}

function findWrongCounts(report: Report): string | undefined {
  for (const { protocol, counts, results } of report.runs)
    if (!areSame(count(results), counts)) return `${protocol} has ${JSON.stringify(count(results))}`;
  if (!areSame(sum(report.runs.map(({ counts }) => counts)), report.counts))
    return "the whole is not the sum of its runs";
  const code = exitCode(report);
  return code === report.exitCode ? undefined : `it ends with ${code}, not with ${report.exitCode}`;
}

/** If two results have one id, or two runs have one protocol, it is unclear which one counts. */
function findDoubled({ runs }: Report): string | undefined {
  const names = runs.map(({ protocol, version }) => `${protocol}/${version}`);
  const repeatedName = names.find((name, index) => names.indexOf(name) < index);
  if (repeatedName !== undefined) return `there are two runs of ${repeatedName}`;
  for (const [index, { results }] of runs.entries()) {
    const seenIds = new Set<string>();
    for (const { id } of results) {
      if (seenIds.has(id)) return `${id} is there twice`;
      if (!id.startsWith(`${names[index]}/`)) return `${id} is not of ${names[index]}`;
      seenIds.add(id);
    }
  }
  return undefined;
}

/** Programs read a text with a repeated member differently. */
function isPlain(text: string): boolean {
  return `${JSON.stringify(JSON.parse(text))}\n` === text;
}

function areSame(a: object, b: object): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
