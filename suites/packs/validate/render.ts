import type { Level, Violation } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";

/** The levels, from the most serious to the least. */
const weights: readonly Level[] = ["MUST", "SHOULD", "MAY", "NOTE"];

/** Whether a finding counts as a failure if everything down to that level does. */
export function countsAsFailure({ level }: Violation, failOn: "must" | "should" | "may" = "must"): boolean {
  return weights.indexOf(level) <= weights.indexOf(failOn.toUpperCase() as Level);
}

/** The findings in some files, one line each: place, level, rule, and fault. */
export function renderFiles(
  files: readonly {
    file: string;
    protocol: string;
    version: string;
    document: string;
    findings: readonly (Violation & { line: number; column: number; accuses?: string })[];
    isPart?: boolean;
    only?: string;
  }[],
  failOn?: "must" | "should" | "may",
): string {
  const blocks = files.map(({ file, protocol, version, document, findings, isPart, only }) => {
    const head = `${escapeInvisible(file)}: ${protocol === "" ? document : `${document} of ${protocol} ${version}`}`;
    const failed = findings.filter((finding) => countsAsFailure(finding, failOn)).length;
    const lines = findings.map(({ line, column, at, level, rule, why, accuses }) => {
      const place = protocol === "" ? "" : at !== "" ? at : isPart === undefined ? "the document" : "the message";
      const whose = accuses === undefined ? "" : ` (${accuses})`;
      return `  ${line}:${column}  ${level}${rule === undefined ? "" : ` ${rule}`}${escapeInvisible(whose)}  ${escapeInvisible(`${place} ${why}`.trim())}`;
    });
    const notes = findings.filter((finding) => !countsAsFailure(finding, failOn) && finding.level === "NOTE").length;
    const notedPart = notes === 0 ? "" : `, ${notes} noted`;
    const advised = findings.length - failed - notes;
    const sum = findings.length === 0 ? "no violations" : `${failed} wrong, ${advised} advised against${notedPart}`;
    const part = isPart === false && failed > 0 ? ["  a recording that begins late or ends early: say --partial"] : [];
    const alone =
      only === undefined
        ? []
        : [`  it has only lines of the ${only}: findings that need the other side's messages are left out`];
    return [head, ...lines, `  ${sum}`, ...part, ...alone, ""].join("\n");
  });
  return [...blocks, ...total(files, failOn)].join("\n");
}

/** For many files, how many have something wrong. */
function total(
  files: readonly { findings: readonly Violation[] }[],
  failOn: "must" | "should" | "may" | undefined,
): string[] {
  if (files.length < 2) return [];
  const failed = files.filter(({ findings }) => findings.some((finding) => countsAsFailure(finding, failOn))).length;
  const advised =
    files.filter(({ findings }) => findings.some((finding) => countsAsFailure(finding, "may"))).length - failed;
  const sound = files.length - failed - advised;
  return [
    `${files.length} files: ${failed} with something wrong, ${advised} advised against, ${sound} without a fault or advice\n`,
  ];
}
