import type { Level, Violation } from "../../../schemas/index.ts";
import { escapeInvisible } from "../../base/text/escape.ts";

/** The levels, from the most serious to the least serious. */
const levels: readonly Level[] = ["MUST", "SHOULD", "MAY", "NOTE"];

/** Whether a finding counts as a failure, if `failOn` is the lowest level that does. */
export function countsAsFailure({ level }: Violation, failOn: "must" | "should" | "may" = "must"): boolean {
  return levels.indexOf(level) <= levels.indexOf(failOn.toUpperCase() as Level);
}

/** The parts of a judged file that are shown. */
interface RenderedFile {
  file: string;
  protocol: string;
  version: string;
  document: string;
  findings: readonly (Violation & { line: number; column: number; accuses?: string })[];
  isPart?: boolean;
  only?: string;
}

/** Renders the findings about some files, one per line: place, level, rule and fault. */
export function renderFiles(files: readonly RenderedFile[], failOn?: "must" | "should" | "may"): string {
  const blocks = files.map((file) => renderFile(file, failOn));
  return [...blocks, ...summaryOfFiles(files, failOn)].join("\n");
}

function renderFile(
  { file, protocol, version, document, findings, isPart, only }: RenderedFile,
  failOn: "must" | "should" | "may" | undefined,
): string {
  const heading = `${escapeInvisible(file)}: ${protocol === "" ? document : `${document} of ${protocol} ${version}`}`;
  const failed = findings.filter((finding) => countsAsFailure(finding, failOn)).length;
  const lines = findings.map(({ line, column, at, level, rule, why, accuses }) => {
    const wholeName = isPart === undefined ? "the document" : "the message";
    const place = protocol === "" ? "" : at || wholeName;
    const accusedNote = accuses === undefined ? "" : ` (${accuses})`;
    return `  ${line}:${column}  ${level}${rule === undefined ? "" : ` ${rule}`}${escapeInvisible(accusedNote)}  ${escapeInvisible(`${place} ${why}`.trim())}`;
  });
  const noteTotal = findings.filter((finding) => !countsAsFailure(finding, failOn) && finding.level === "NOTE").length;
  const noteCount = noteTotal === 0 ? "" : `, ${noteTotal} noted`;
  const advised = findings.length - failed - noteTotal;
  const summary = findings.length === 0 ? "no violations" : `${failed} wrong, ${advised} advised against${noteCount}`;
  const partialHint =
    isPart === false && failed > 0 ? ["  if the recording begins late or ends early, use --partial"] : [];
  const oneSidedHint =
    only === undefined
      ? []
      : [`  it contains only messages of the ${only}: rules that depend on the other side's messages are not judged`];
  return [heading, ...lines, `  ${summary}`, ...partialHint, ...oneSidedHint, ""].join("\n");
}

/** A summary of several files. */
function summaryOfFiles(
  files: readonly { findings: readonly Violation[] }[],
  failOn: "must" | "should" | "may" | undefined,
): string[] {
  if (files.length < 2) return [];
  const failed = files.filter(({ findings }) => findings.some((finding) => countsAsFailure(finding, failOn))).length;
  const advised =
    files.filter(({ findings }) => findings.some((finding) => countsAsFailure(finding, "may"))).length - failed;
  const withoutFindings = files.length - failed - advised;
  return [
    `${files.length} files: ${failed} with faults, ${advised} only with advice, ${withoutFindings} without findings\n`,
  ];
}
